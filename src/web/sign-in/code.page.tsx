import { Field } from '../components/field.js';
import { Form } from '../components/form.js';
import { Document } from '../layout/document.js';

interface CodePageProps {
  /** Proof that the password was right. */
  ticket: string;
  /** The page after signing in. */
  next: string;
  error: string | undefined;
}

/** The second step of a sign-in. */
export function CodePage({ ticket, next, error }: CodePageProps) {
  return (
    <Document title="Enter your code">
      <section class="entrance">
        <h1>Enter your code</h1>
        <Form action="/sign-in/code" class="stack" hidden={{ ticket, next }}>
          <Field
            name="code"
            label="Code"
            autocomplete="one-time-code"
            required
            autofocus
            error={error}
            hint="Six digits from your authenticator app, or one of your recovery codes."
          />
          <button type="submit">Sign in</button>
        </Form>
        <p class="quiet small">
          Lost both? The operator of this server can turn off the second factor. <a href="/sign-in">Start again</a>.
        </p>
      </section>
    </Document>
  );
}
