import { Field, type FieldErrors } from '../components/field.js';
import { Form } from '../components/form.js';

export function YourData({ errors }: { errors: FieldErrors }) {
  return (
    <section class="card">
      <h2>Your data</h2>
      <p class="quiet">Everything that is kept about you, in one file: one JSON object a line.</p>
      <p>
        <a class="button second" href="/settings/export" download>
          Export everything
        </a>
      </p>
      <details open={errors.delete_password !== undefined}>
        <summary>Delete everything</summary>
        <Form action="/settings/delete" class="stack">
          <p>
            Your accounts, their whole history, your connections, your keys and you. Nothing of it can be brought back,
            and banks do not give old transactions twice.
          </p>
          <Field
            name="delete_password"
            label="Your password"
            type="password"
            autocomplete="current-password"
            required
            error={errors.delete_password}
          />
          <div>
            <button type="submit" class="danger">
              Delete everything for good
            </button>
          </div>
        </Form>
      </details>
    </section>
  );
}
