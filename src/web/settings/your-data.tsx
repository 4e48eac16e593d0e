import { Field, type FieldErrors } from '../components/field.js';
import { Form, Submit } from '../components/form.js';

export function YourData({ errors }: { errors: FieldErrors }) {
  return (
    <section class="card">
      <h2>Your data</h2>
      <p class="quiet">Everything stored about you in one file, with one JSON object per line.</p>
      <p>
        <a class="button second" href="/settings/export" download>
          Export everything
        </a>
      </p>
      <details open={errors.delete_password !== undefined}>
        <summary>Delete everything</summary>
        <Form action="/settings/delete" class="stack">
          <p>
            Deletes your login, accounts, whole history, connections and keys. This cannot be undone, and banks may not
            provide old transactions again.
          </p>
          <Field
            name="delete_password"
            label="Your password"
            type="password"
            autocomplete="current-password"
            required
            error={errors.delete_password}
          />
          <Submit class="danger">Delete everything permanently</Submit>
        </Form>
      </details>
    </section>
  );
}
