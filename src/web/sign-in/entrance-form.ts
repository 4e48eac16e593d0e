import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from '../../auth/password-rules.js';
import type { FieldErrors } from '../components/field.js';
import { type FormBody, rawTextOf, textOf } from '../components/form-body.js';
import { isTimeZone } from '../../time/calendar-date.js';

const MAX_EMAIL_CHARS = 254;

export interface SignUpForm {
  email: string;
  password: string;
  /** IANA name, as the browser says it; UTC where it says none. */
  timeZone: string;
}

export function readSignUpForm(body: FormBody): { form: SignUpForm; errors: FieldErrors } {
  const zone = textOf(body, 'time_zone');
  const form = {
    email: textOf(body, 'email'),
    password: rawTextOf(body, 'password'),
    timeZone: zone && isTimeZone(zone) ? zone : 'UTC',
  };
  return { form, errors: { ...emailErrors(form.email), ...passwordErrors(form.password, 'password') } };
}

function emailErrors(email: string): FieldErrors {
  if (/^[^\s@]+@[^\s@]+$/.test(email) && email.length <= MAX_EMAIL_CHARS) return {};
  return { email: 'Enter an e-mail address, like you@example.com.' };
}

/** @param name of the field */
export function passwordErrors(password: string, name: string): FieldErrors {
  if (password.length < MIN_PASSWORD_CHARS) return { [name]: `Use at least ${MIN_PASSWORD_CHARS} characters.` };
  if (password.length > MAX_PASSWORD_CHARS) return { [name]: `Use at most ${MAX_PASSWORD_CHARS} characters.` };
  return {};
}
