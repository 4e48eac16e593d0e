import { Field } from './field.js';
import { usePageContext } from './page-context.js';

/** Asks for the password, unless it was given recently. */
export function ConfirmPassword({ id, error }: { id: string; error: string | undefined }) {
  const { session } = usePageContext();
  if (session?.isPasswordFresh !== false && error === undefined) return null;
  return (
    <Field
      id={id}
      name="confirm_password"
      label="Your password"
      type="password"
      autocomplete="current-password"
      required
      error={error}
      hint="To confirm it is you."
    />
  );
}
