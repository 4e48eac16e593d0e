import { Document } from '../layout/document.js';
import { Field, type FieldErrors } from '../components/field.js';
import { Form } from '../components/form.js';
import { Notice } from '../components/notice.js';

const NOTICES: Record<string, string> = {
  ended: 'You were signed out. Sign in to continue.',
  deleted: 'Everything stored about you was deleted.',
};

interface SignInPageProps {
  email: string;
  /** The page after signing in. */
  next: string;
  signUpOpen: boolean;
  /** Why the sign-in page is shown. */
  notice: string | null;
  errors: FieldErrors;
}

export function SignInPage({ email, next, signUpOpen, notice, errors }: SignInPageProps) {
  const noticeText = notice === null ? undefined : NOTICES[notice];
  return (
    <Document title="Sign in">
      <section class="entrance">
        <h1>Sign in</h1>
        {noticeText && <Notice kind={notice === 'ended' ? 'warn' : 'done'}>{noticeText}</Notice>}
        {errors[''] && <Notice kind="wrong">{errors['']}</Notice>}
        <Form action="/sign-in" class="stack" hidden={{ next }}>
          <Field
            name="email"
            label="E-mail address"
            type="email"
            autocomplete="username"
            required
            value={email}
            autofocus={email === ''}
          />
          <Field
            name="password"
            label="Password"
            type="password"
            autocomplete="current-password"
            required
            autofocus={email !== ''}
          />
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
