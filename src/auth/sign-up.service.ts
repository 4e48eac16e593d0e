import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { canonicalHost } from '../platform/config/host-patterns.js';
import { reader } from '../database/reader.js';
import { DomainError } from '../platform/domain-error.js';
import { isLoopbackHost } from '../http/allowed-hosts.js';
import { DAY_MS } from '../platform/time/calendar-date.js';
import { Clock } from '../platform/time/clock.js';
import { CredentialVault } from '../platform/vault/credential-vault.js';
import { AuditTrailService } from './audit/audit-trail.service.js';
import { Invitation } from './invitation.entity.js';
import { hashOfText, randomText } from './one-time-text.js';
import { hashPassword } from './password.js';
import type { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';
import { type NewUser, UsersService } from './users.service.js';
import { lockUser } from '../database/lock-user.js';

export const INVITATION_DAYS = 7;

/** An advisory lock of this database that no other program uses. */
const SIGN_UP_LOCK = 7_302_772;

type SignUpAnswer = { user: User } | { refused: 'closed' | 'taken' };

/** How many unused, unexpired invitations one person may have. */
const MAX_OPEN_INVITATIONS = 20;

/** An invitation that nobody has used yet, without its text. */
export interface OpenInvitation {
  /** Says nothing about its text. */
  id: string;
  createdAt: Date;
  expiresAt: Date;
}

const FIRST_SIGN_UP = 'the first person signs up';
const FIRST_CODE_CHARS = 22;

/**
 * The first person signs up freely on loopback; where others reach the service, with a code that the start prints. Later
 * ones sign up by invitation, or everybody freely where SIGN_UP=open.
 */
@Injectable()
export class SignUpService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UsersService,
    private readonly people: UsersRepository,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly audit: AuditTrailService,
    private readonly vault: CredentialVault,
  ) {}

  /** Whether somebody with this invitation, or with none, may sign up. */
  async isOpen(invitation: string | null): Promise<boolean> {
    if (await this.#isOpenWithoutInvitation(invitation)) return true;
    return invitation !== null && (await reader(this.em).count(Invitation, this.#opened(invitation))) > 0;
  }

  /** @param code that of the first person, if it is one */
  async #isOpenWithoutInvitation(code: string | null): Promise<boolean> {
    if (this.config.signUp === 'open') return true;
    const needed = this.#firstCode();
    return (needed === null || code === needed) && (await this.isFirst());
  }

  /** The same on all instances and at every start, so that nothing is stored. `null`: none is needed. */
  #firstCode(): string | null {
    if (this.config.signUp === 'open' || isLoopbackHost(canonicalHost(this.config.host))) return null;
    return this.vault.sign(FIRST_SIGN_UP).slice(0, FIRST_CODE_CHARS);
  }

  /** The page for the first person, with the code. `null`: somebody has signed up, or no code is needed. */
  async firstSignUpPath(): Promise<string | null> {
    const code = this.#firstCode();
    return code !== null && (await this.isFirst()) ? `${this.config.basePath}/sign-up?invitation=${code}` : null;
  }

  /** Which invitation lets somebody in who gives its text. */
  #opened(invitation: string) {
    return { tokenHash: hashOfText(invitation), expiresAt: { $gt: this.clock.now() } };
  }

  /** Whether there is no user yet. */
  isFirst(): Promise<boolean> {
    return this.people.isEmpty();
  }

  /** Creates the user and deletes the invitation in one transaction. */
  async create(wanted: NewUser, invitation: string | null): Promise<SignUpAnswer> {
    if (!(await this.isOpen(invitation))) return { refused: 'closed' };
    const { password, ...user } = wanted;
    // Hashing is slow, so it happens before the lock is taken.
    const passwordHash = await hashPassword(password);
    try {
      return await this.em.transactional(() => this.#insert({ ...user, passwordHash }, invitation));
    } catch (error) {
      // The command line creates users without the lock.
      if (error instanceof UniqueConstraintViolationException) return { refused: 'taken' };
      throw error;
    }
  }

  /** Serialised by a lock, so that there is one first user. */
  async #insert(
    user: Pick<User, 'email' | 'passwordHash' | 'timeZone'>,
    invitation: string | null,
  ): Promise<SignUpAnswer> {
    await this.em
      .getKysely()
      .selectNoFrom((eb) => eb.fn('pg_advisory_xact_lock', [eb.val(SIGN_UP_LOCK)]).as('locked'))
      .execute();
    if (await this.people.findByEmail(user.email)) return { refused: 'taken' };
    const isInvited = invitation !== null && (await this.#use(invitation));
    if (!isInvited && !(await this.#isOpenWithoutInvitation(invitation))) return { refused: 'closed' };
    return { user: await this.users.insert(user) };
  }

  /** @returns whether it was open: it may have been revoked meanwhile */
  async #use(invitation: string): Promise<boolean> {
    const opened = this.#opened(invitation);
    const found = await reader(this.em).findOne(Invitation, opened);
    if (!found || (await this.em.nativeDelete(Invitation, { ...opened, userId: found.userId })) === 0) return false;
    // Without an origin: the request is the guest's.
    await this.audit.record({ userId: found.userId, kind: 'invitation_used', isByItself: true });
    return true;
  }

  /**
   * @returns the text of a new invitation, which is not stored
   * @throws DomainError `conflict` when the person has as many open invitations as allowed
   */
  async invite(userId: string): Promise<string> {
    const text = randomText();
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + INVITATION_DAYS * DAY_MS);
    await this.em.transactional(async (em) => {
      await lockUser(em, userId);
      await em.nativeDelete(Invitation, { userId, expiresAt: { $lte: now } });
      if ((await em.count(Invitation, { userId })) >= MAX_OPEN_INVITATIONS) {
        throw new DomainError('conflict', `You have ${MAX_OPEN_INVITATIONS} open invitations, which is the limit.`);
      }
      await em.insert(Invitation, { userId, tokenHash: hashOfText(text), expiresAt });
      await this.audit.record({ userId, kind: 'invitation_created' });
    });
    return text;
  }

  /** Those that still let somebody in, the newest first. */
  async listOpenInvitations(userId: string): Promise<OpenInvitation[]> {
    const open = { userId, expiresAt: { $gt: this.clock.now() } };
    const newestFirst = { orderBy: { expiresAt: 'desc', tokenHash: 'asc' } } as const;
    const invitations = await reader(this.em).find(Invitation, open, newestFirst);
    return invitations.map(({ tokenHash, expiresAt }) => {
      const createdAt = new Date(expiresAt.getTime() - INVITATION_DAYS * DAY_MS);
      return { id: Buffer.from(tokenHash).toString('hex'), createdAt, expiresAt };
    });
  }

  /**
   * @param id of {@link OpenInvitation}
   * @returns whether it was still open: it may have been used, or have expired
   */
  async revokeInvitation(userId: string, id: string): Promise<boolean> {
    return this.em.transactional(async () => {
      const open = { userId, tokenHash: Buffer.from(id, 'hex'), expiresAt: { $gt: this.clock.now() } };
      if ((await this.em.nativeDelete(Invitation, open)) === 0) return false;
      await this.audit.record({ userId, kind: 'invitation_revoked' });
      return true;
    });
  }
}
