import { Document } from '../layout/document.js';
import { EmailField, type FieldErrors } from '../components/field.js';
import { Form } from '../components/form.js';
import { NewPasswordField } from '../components/password.js';

interface SignUpPageProps {
  email: string;
  invitation: string | null;
  /** Whether there is no user yet. */
  first: boolean;
  errors: FieldErrors;
}

export function SignUpPage({ email, invitation, first, errors }: SignUpPageProps) {
  return (
    <Document title="Sign up">
      <section class="entrance">
        <h1>{first ? 'Welcome to Tidemark' : 'Sign up'}</h1>
        <p class="lead">
          {first
            ? 'Create your login. Your e-mail address is only used to sign in; Tidemark never sends messages to it.'
            : 'Your e-mail address is only used to sign in; Tidemark never sends messages to it.'}
        </p>
        <Form action="/sign-up" class="stack">
          {invitation && <input type="hidden" name="invitation" value={invitation} />}
          <input type="hidden" name="time_zone" value="" data-time-zone />
          <EmailField value={email} error={errors.email} autofocus={errors.password === undefined} />
          <NewPasswordField
            name="password"
            label="Password"
            error={errors.password}
            hint="A few random words are easy to remember and hard to guess."
          />
          <button type="submit">Sign up</button>
        </Form>
        {!first && (
          <p class="quiet small">
            Already have an account? <a href="/sign-in">Sign in</a>.
          </p>
        )}
      </section>
    </Document>
  );
}
