import type { ComponentChildren } from 'preact';
import { Document } from '../layout/document.js';
import { Field, Form, NewPasswordField, PasswordField } from '../components/form.js';
import { Notice } from '../components/notice.js';

interface EntranceProps {
  title: string;
  /** The title, unless given. */
  heading?: string;
  children: ComponentChildren;
}

/** A page for somebody who is not signed in. */
function Entrance({ title, heading = title, children }: EntranceProps) {
  return (
    <Document title={title}>
      <section class="entrance">
        <h1>{heading}</h1>
        {children}
      </section>
    </Document>
  );
}

function EmailField() {
  return <Field name="email" label="E-mail address" type="email" autocomplete="username" required autofocus />;
}

const NOTICES = new Map<string, { kind: 'done' | 'warn'; text: string }>([
  ['ended', { kind: 'warn', text: 'You were signed out. Sign in to continue.' }],
  ['unsaved', { kind: 'warn', text: 'You were signed out before this was saved. Sign in and enter it again.' }],
  ['code-expired', { kind: 'warn', text: 'This sign-in has expired. Enter your password again.' }],
  ['deleted', { kind: 'done', text: 'Everything stored about you was deleted.' }],
]);

interface SignInPageProps {
  /** The page after signing in. */
  next: string;
  signUpOpen: boolean;
  /** Why the sign-in page is shown. */
  notice?: string;
}

export function SignInPage({ next, signUpOpen, notice = '' }: SignInPageProps) {
  const shown = NOTICES.get(notice);
  return (
    <Entrance title="Sign in">
      {shown && <Notice kind={shown.kind}>{shown.text}</Notice>}
      <Form action="/sign-in" class="stack" hidden={{ next }}>
        <EmailField />
        <PasswordField name="password" label="Password" />
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
    </Entrance>
  );
}

interface CodePageProps {
  /** Proof that the password was right. */
  ticket: string;
  /** The page after signing in. */
  next: string;
}

/** The second step of a sign-in. */
export function CodePage({ ticket, next }: CodePageProps) {
  return (
    <Entrance title="Enter your code">
      <Form action="/sign-in/code" class="stack" hidden={{ ticket, next }}>
        <Field
          name="code"
          label="Code"
          autocomplete="one-time-code"
          required
          autofocus
          isSecret
          hint="Six digits from your authenticator app, or one of your recovery codes."
        />
        <button type="submit">Sign in</button>
      </Form>
      <p class="quiet small">
        Lost both? The operator of this server can turn off the second factor.{' '}
        <a href={`/sign-in?next=${encodeURIComponent(next)}`}>Start again</a>.
      </p>
    </Entrance>
  );
}

interface SignUpPageProps {
  invitation: string | null;
  /** Whether there is no user yet. */
  first: boolean;
}

export function SignUpPage({ invitation, first }: SignUpPageProps) {
  return (
    <Entrance title="Sign up" heading={first ? 'Welcome to Tidemark' : 'Sign up'}>
      <p class="quiet">
        {first && 'Create your login. '}Your e-mail address is only used to sign in; Tidemark never sends messages to
        it.
      </p>
      <Form action="/sign-up" class="stack">
        {invitation && <input type="hidden" name="invitation" value={invitation} />}
        <input type="hidden" name="time_zone" value="" data-time-zone />
        <EmailField />
        <NewPasswordField
          name="password"
          label="Password"
          hint="A few random words are easy to remember and hard to guess."
        />
        <button type="submit">Sign up</button>
      </Form>
      {!first && (
        <p class="quiet small">
          Already have an account? <a href="/sign-in">Sign in</a>.
        </p>
      )}
    </Entrance>
  );
}
