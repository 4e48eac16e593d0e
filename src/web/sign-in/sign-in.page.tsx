import { Document } from '../layout/document.js';
import { EmailField, Field } from '../components/field.js';
import { Form } from '../components/form.js';
import { PasswordField } from '../components/password.js';
import { Notice } from '../components/notice.js';

const NOTICES = new Map<string, { kind: 'done' | 'warn'; text: string }>([
  ['ended', { kind: 'warn', text: 'You were signed out. Sign in to continue.' }],
  ['code-expired', { kind: 'warn', text: 'This sign-in has expired. Enter your password again.' }],
  ['deleted', { kind: 'done', text: 'Everything stored about you was deleted.' }],
]);

interface SignInPageProps {
  email: string;
  /** The page after signing in. */
  next: string;
  signUpOpen: boolean;
  /** Why the sign-in page is shown. */
  notice?: string;
  error?: string;
}

export function SignInPage({ email, next, signUpOpen, notice = '', error }: SignInPageProps) {
  const shown = NOTICES.get(notice);
  return (
    <Document title="Sign in">
      <section class="entrance">
        <h1>Sign in</h1>
        {shown && <Notice kind={shown.kind}>{shown.text}</Notice>}
        {error && <Notice kind="wrong">{error}</Notice>}
        <Form action="/sign-in" class="stack" hidden={{ next }}>
          <EmailField value={email} autofocus={email === ''} />
          <PasswordField name="password" label="Password" autofocus={email !== ''} />
          <button type="submit">Sign in</button>
        </Form>
        <p class="quiet small">
          {signUpOpen ? (
            <>
              New here? <a href="/sign-up">Sign up</a>.
            </>
          ) : (
            'New here? Ask someone who uses this server for an invitation.'
          )}
        </p>
      </section>
    </Document>
  );
}

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
          Lost both? The operator of this server can turn off the second factor.{' '}
          <a href={`/sign-in?next=${encodeURIComponent(next)}`}>Start again</a>.
        </p>
      </section>
    </Document>
  );
}
