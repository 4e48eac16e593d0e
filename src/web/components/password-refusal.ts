import type { Request } from 'express';
import type { PasswordCheck } from '../../auth/password-attempts.service.js';
import type { PasswordConfirmationService } from '../../auth/password-confirmation.service.js';
import type { Session } from '../../auth/sessions.service.js';
import { clientNetworkOf } from '../../http/client-network.js';
import { type Fields, rawTextOf } from './form-fields.js';

/** Why a form with a password or a code is shown again. */
export interface SecretRefusal {
  message: string;
  status: number;
}

/** Checks the password of a form with `ConfirmPassword`. `null`: it is right, or was given recently. */
export async function confirmPassword(
  confirmation: PasswordConfirmationService,
  session: Session,
  body: Fields,
  request: Request,
): Promise<SecretRefusal | null> {
  const password = rawTextOf(body, 'confirm_password');
  return passwordRefusal(await confirmation.confirm(session, password, clientNetworkOf(request)), request);
}

/**
 * Checks a password, however recently it was given. `null`: it is right.
 *
 * @param isRight by default whether it is the stored one
 */
export async function checkPassword(
  confirmation: PasswordConfirmationService,
  session: Session,
  password: string,
  request: Request,
  isRight?: () => Promise<boolean>,
): Promise<SecretRefusal | null> {
  return passwordRefusal(await confirmation.check(session, password, clientNetworkOf(request), isRight), request);
}

/** `null`: the password is right. */
export function passwordRefusal(check: PasswordCheck | 'missing', request: Request): SecretRefusal | null {
  if (check === 'right') return null;
  if (check === 'missing') return { message: 'Enter your password to continue.', status: 422 };
  return secretRefusal(check, 'Wrong password.', request);
}

/** Of a wrong password or code. After too many, none is checked, and the answer says when to try again. */
export function secretRefusal(
  check: 'wrong' | { waitSeconds: number },
  wrong: string,
  request: Request,
): SecretRefusal {
  if (check === 'wrong') return { message: wrong, status: 422 };
  const { waitSeconds } = check;
  request.res?.set('Retry-After', String(waitSeconds));
  const minutes = Math.ceil(waitSeconds / 60);
  const message = `Too many attempts. Wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, then try again.`;
  return { message, status: 429 };
}
