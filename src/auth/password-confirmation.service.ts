import { Injectable } from '@nestjs/common';
import { AuditTrailService } from './audit/audit-trail.service.js';
import { type PasswordCheck, PasswordAttemptsService } from './password-attempts.service.js';
import { type Session, SessionsService } from './sessions.service.js';
import { UsersService } from './users.service.js';

/**
 * Asks for the password within a session. These attempts count together with sign-ins, since somebody with a stolen
 * session could guess passwords here.
 */
@Injectable()
export class PasswordConfirmationService {
  constructor(
    private readonly users: UsersService,
    private readonly attempts: PasswordAttemptsService,
    private readonly sessions: SessionsService,
    private readonly audit: AuditTrailService,
  ) {}

  /**
   * @param client address or network of the client
   * @param isRight checks the password, by default whether it is the stored one
   */
  async check(
    { userId, email }: Session,
    password: string,
    client: string,
    isRight = () => this.users.hasPassword(userId, password),
  ): Promise<PasswordCheck> {
    const check = await this.attempts.check({ email, client }, isRight);
    if (check === 'wrong') await this.audit.record({ userId, kind: 'password_check_failed' });
    return check;
  }

  /** For actions that need a recently given password: skips the check if the session has one. */
  async confirm(session: Session, password: string, client: string): Promise<PasswordCheck | 'missing'> {
    if (session.isPasswordFresh) return 'right';
    if (password === '') return 'missing';
    const check = await this.check(session, password, client);
    if (check === 'right') await this.sessions.markPasswordGiven(session);
    return check;
  }
}
