import type { Request } from 'express';
import type { PasswordCheck } from '../../auth/password-attempts.service.js';
import type { PasswordConfirmationService } from '../../auth/password-confirmation.service.js';
import type { Session } from '../../auth/sessions.service.js';
import { clientNetworkOf } from '../../http/client-network.js';
import { type FormBody, rawTextOf } from './form-body.js';

/** Why a form with a password is shown again. */
export interface PasswordRefusal {
  message: string;
  status: number;
}

/** Confirms the password of a form with `ConfirmPassword`. `null`: it is right, or was given recently. */
export async function confirmPassword(
  confirmation: PasswordConfirmationService,
  session: Session,
  body: FormBody,
  request: Request,
): Promise<PasswordRefusal | null> {
  const password = rawTextOf(body, 'confirm_password');
  return passwordRefusal(await confirmation.confirm(session, password, clientNetworkOf(request)), request);
}

/** `null` when the password is right. While passwords are not checked, the answer says when to retry. */
export function passwordRefusal(check: PasswordCheck | 'missing', request: Request): PasswordRefusal | null {
  if (check === 'right') return null;
  if (check === 'missing') return { message: 'Enter your password to continue.', status: 422 };
  if (check === 'wrong') return { message: 'This is not your password.', status: 422 };
  request.res?.set('Retry-After', String(check.waitSeconds));
  return { message: tooManyAttempts(check.waitSeconds), status: 429 };
}

/** The message of a form with a password while passwords are not checked. */
export function tooManyAttempts(waitSeconds: number): string {
  const minutes = Math.ceil(waitSeconds / 60);
  return `Too many attempts. Wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, then try again.`;
}
