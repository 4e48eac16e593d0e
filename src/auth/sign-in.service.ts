import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secret } from '../platform/config/secret.js';
import { MetricsService } from '../platform/metrics/metrics.service.js';
import { Clock } from '../platform/time/clock.js';
import { CredentialVault } from '../platform/vault/credential-vault.js';
import { AuditTrailService } from './audit/audit-trail.service.js';
import { hashPassword, MAX_PASSWORD_CHARS, verifyPassword } from './password.js';
import { type PasswordCheck, PasswordAttemptsService } from './password-attempts.service.js';
import { SecondFactorService } from './second-factor/second-factor.service.js';
import type { User } from './user.entity.js';
import { normalEmail, UsersRepository } from './users.repository.js';

type Refused = Exclude<PasswordCheck, 'right'>;

/** `ticket`: the password was right, and a code of the second factor is required. */
type SignInAnswer = { user: User } | { ticket: string } | { refused: Refused };
type CodeAnswer = { user: User } | { refused: Refused | 'expired' };

/** How long after the password a code is accepted. */
const TICKET_MS = 10 * 60_000;
const TICKET_OWNER = 'sign-in';
const DEVICE_OWNER = 'device';

/** Proof that the password was right. It grants nothing without a code. */
interface Ticket {
  email: string;
  userId: string;
  /** Digest of the password hash: a changed password invalidates the ticket. */
  passwordDigest: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

@Injectable()
export class SignInService {
  // Checked for unknown e-mail addresses, so that they take as long as a wrong password.
  #nobody: string | undefined;

  constructor(
    private readonly users: UsersRepository,
    private readonly attempts: PasswordAttemptsService,
    private readonly metrics: MetricsService,
    private readonly audit: AuditTrailService,
    private readonly secondFactor: SecondFactorService,
    private readonly vault: CredentialVault,
    private readonly clock: Clock,
  ) {}

  /**
   * @param client the client's network: attempts are counted by it and the e-mail address together
   * @param device of {@link deviceTokenFor}, if the client has one
   */
  async attempt(email: string, password: string, client: string, device: string | null = null): Promise<SignInAnswer> {
    const user = await this.users.findByEmail(email);
    const attempt = { email: normalEmail(email), client };
    const check = await this.attempts.check(attempt, () => this.#isPasswordOf(user, password, this.#ownerOf(device)));
    if (check === 'right' && user) return this.#afterPassword(user);
    // A refused attempt is not audited: its password was not checked.
    if (check === 'wrong') await this.audit.recordFailedSignIn(user?.id ?? null);
    return { refused: this.#count(check === 'right' ? 'wrong' : check) };
  }

  /**
   * The second step, if the person has a second factor.
   *
   * @param ticket from the first step
   */
  async attemptCode(ticket: string, code: string): Promise<CodeAnswer> {
    const opened = this.#openTicket(ticket);
    if (!opened) return { refused: 'expired' };
    const user = await this.users.findByEmail(opened.email);
    if (user?.id !== opened.userId || digestOf(user) !== opened.passwordDigest) return { refused: 'expired' };
    const check = await this.secondFactor.check({ userId: user.id, email: user.email }, code);
    return check === 'right' ? { user } : { refused: this.#count(check) };
  }

  /** Lets a device on which the person has signed in be recognised. It grants nothing but a place in line. */
  deviceTokenFor({ id }: User): string {
    return this.vault.seal(new Secret(id), DEVICE_OWNER);
  }

  #ownerOf(device: string | null): string | null {
    try {
      return device && this.vault.open(device, DEVICE_OWNER).reveal();
    } catch {
      // Text that is no token of ours.
      return null;
    }
  }

  async #afterPassword(user: User): Promise<SignInAnswer> {
    const { onSince } = await this.secondFactor.state(user.id);
    if (onSince === null) return { user };
    const expiresAt = this.clock.now().getTime() + TICKET_MS;
    const ticket: Ticket = { email: user.email, userId: user.id, passwordDigest: digestOf(user), expiresAt };
    return { ticket: this.vault.seal(new Secret(JSON.stringify(ticket)), TICKET_OWNER) };
  }

  #openTicket(text: string): Ticket | null {
    try {
      const ticket = JSON.parse(this.vault.open(text, TICKET_OWNER).reveal()) as Ticket;
      return ticket.expiresAt > this.clock.now().getTime() ? ticket : null;
    } catch {
      // Text that is no ticket of ours.
      return null;
    }
  }

  #count(refused: Refused): Refused {
    this.metrics.countSignInFailure(refused === 'wrong' ? 'wrong' : 'limited');
    return refused;
  }

  async #isPasswordOf(user: User | null, password: string, deviceOwner: string | null): Promise<boolean> {
    const known = user?.passwordHash ?? (this.#nobody ??= await hashPassword(''));
    const isRight = password.length <= MAX_PASSWORD_CHARS && (await verifyPassword(known, password, deviceOwner));
    return isRight && user !== null;
  }
}

function digestOf({ passwordHash }: User): string {
  return hash('sha256', passwordHash, 'base64url');
}
