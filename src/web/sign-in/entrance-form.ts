import { passwordProblem } from '../../auth/password.js';
import type { FieldErrors } from '../components/field.js';
import { type FormBody, rawTextOf, textOf } from '../components/form-body.js';
import { isTimeZone } from '../../time/calendar-date.js';

const MAX_EMAIL_CHARS = 254;

interface SignUpForm {
  email: string;
  password: string;
  /** IANA name from the browser; UTC by default. */
  timeZone: string;
}

export async function readSignUpForm(body: FormBody): Promise<{ form: SignUpForm; errors: FieldErrors }> {
  const zone = textOf(body, 'time_zone');
  const form = {
    email: textOf(body, 'email'),
    password: rawTextOf(body, 'password'),
    timeZone: zone && isTimeZone(zone) ? zone : 'UTC',
  };
  const problem = await passwordProblem(form.password, form.email);
  return { form, errors: { ...emailErrors(form.email), ...(problem && { password: problem }) } };
}

function emailErrors(email: string): FieldErrors {
  if (/^[^\s@]+@[^\s@]+$/.test(email) && email.length <= MAX_EMAIL_CHARS) return {};
  return { email: 'Enter an e-mail address, like you@example.com.' };
}
