import { Injectable } from '@nestjs/common';
import { MetricsService } from '../observability/metrics/metrics.service.js';
import { AuditTrail } from './audit/audit-trail.service.js';
import { hashPassword, verifyPassword } from './password.js';
import { type PasswordCheck, PasswordAttemptsService } from './password-attempts.service.js';
import { MAX_PASSWORD_CHARS } from './password-rules.js';
import type { User } from './user.entity.js';
import { normalEmail, UsersService } from './users.service.js';

export type SignInAnswer = { user: User } | { refused: Exclude<PasswordCheck, 'right'> };

@Injectable()
export class SignInService {
  // Of no password at all: an unknown e-mail address costs as much time as a wrong password.
  #nobody: string | undefined;

  constructor(
    private readonly users: UsersService,
    private readonly attempts: PasswordAttemptsService,
    private readonly metrics: MetricsService,
    private readonly audit: AuditTrail,
  ) {}

  /** @param client where the attempt comes from: it is counted by this and the e-mail address together */
  async attempt(email: string, password: string, client: string): Promise<SignInAnswer> {
    const user = await this.users.findByEmail(email);
    const attempt = { email: normalEmail(email), client };
    const check = await this.attempts.check(attempt, () => this.#isPasswordOf(user, password));
    if (check === 'right' && user) return { user };
    // Refused attempts are counted only: nobody looked whether their password was right.
    if (check === 'wrong') await this.audit.recordFailedSignIn(user?.id ?? null);
    const refused = check === 'right' ? 'wrong' : check;
    this.metrics.countSignInFailure(refused === 'wrong' ? 'wrong' : 'limited');
    return { refused };
  }

  async #isPasswordOf(user: User | null, password: string): Promise<boolean> {
    const known = user?.passwordHash ?? (this.#nobody ??= await hashPassword(''));
    const isRight = password.length <= MAX_PASSWORD_CHARS && (await verifyPassword(known, password));
    return isRight && user !== null;
  }
}
