import { Injectable } from '@nestjs/common';
import { hashPassword, verifyPassword } from './password.js';
import { MAX_PASSWORD_CHARS } from './password-rules.js';
import { SignInThrottle } from './sign-in-throttle.js';
import type { User } from './user.entity.js';
import { Users } from './users.service.js';

export type SignInAnswer = { user: User } | { refused: 'wrong' } | { refused: 'wait'; seconds: number };

@Injectable()
export class SignIn {
  // Of no password at all: an unknown e-mail address costs as much time as a wrong password.
  #nobody: string | undefined;

  constructor(
    private readonly users: Users,
    private readonly throttle: SignInThrottle,
  ) {}

  /** @param address of the client, as the socket says it */
  async attempt(email: string, password: string, address: string): Promise<SignInAnswer> {
    const key = email.trim().toLowerCase();
    const seconds = await this.throttle.waitSeconds(key, address);
    if (seconds > 0) return { refused: 'wait', seconds };
    const user = await this.users.findByEmail(key);
    const known = user?.passwordHash ?? (this.#nobody ??= await hashPassword(''));
    const right = password.length <= MAX_PASSWORD_CHARS && (await verifyPassword(known, password));
    if (!user || !right) {
      await this.throttle.failed(key, address);
      return { refused: 'wrong' };
    }
    await this.throttle.succeeded(key);
    return { user };
  }
}
