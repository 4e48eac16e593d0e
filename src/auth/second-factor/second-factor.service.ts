import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Secret } from '../../config/secret.js';
import { DomainError } from '../../errors/domain-error.js';
import { Clock } from '../../time/clock.js';
import { credentialOwner, CredentialVault } from '../../vault/credential-vault.js';
import { AuditTrail } from '../audit/audit-trail.service.js';
import type { AuditEventKind } from '../audit/audit-event.js';
import { type PasswordCheck, PasswordAttemptsService } from '../password-attempts.service.js';
import { hashOfRecoveryCode, newRecoveryCode } from './recovery-code.js';
import { newTotpSecret, stepOfCode, totpUri } from './totp.js';

export const RECOVERY_CODES = 10;

/** The person whose second factor is meant. */
interface Person {
  userId: string;
  email: string;
}

export interface SecondFactorState {
  /** `null`: it is off. */
  onSince: Date | null;
  recoveryCodesLeft: number;
}

interface FactorRow {
  id: string;
  credential: string;
  confirmed_at: Date | null;
}

/** A second factor: one-time codes of an authenticator app (RFC 6238), and recovery codes for when the app is lost. */
@Injectable()
export class SecondFactorService {
  constructor(
    private readonly em: EntityManager,
    private readonly vault: CredentialVault,
    private readonly attempts: PasswordAttemptsService,
    private readonly clock: Clock,
    private readonly audit: AuditTrail,
  ) {}

  async state(userId: string): Promise<SecondFactorState> {
    const { rows } = await sql<{ confirmed_at: Date; codes: number }>`
      select f.confirmed_at,
        (select count(*)::integer from recovery_codes r where r.user_id = f.user_id and r.used_at is null) as codes
      from second_factors f where f.user_id = ${userId} and f.confirmed_at is not null
    `.execute(this.em.getKysely());
    const row = rows[0];
    if (!row) return { onSince: null, recoveryCodesLeft: 0 };
    return { onSince: new Date(row.confirmed_at), recoveryCodesLeft: row.codes };
  }

  /**
   * Creates a secret for an app, replacing a pending one. Sign-in does not require it until a first code confirms it.
   */
  async begin(userId: string): Promise<void> {
    const id = randomUUID();
    const credential = this.vault.seal(newTotpSecret(), credentialOwner({ userId, id }));
    const { rows } = await sql`
      insert into second_factors as stored (user_id, id, credential, created_at)
      values (${userId}, ${id}, ${credential}, ${this.clock.now()})
      on conflict (user_id) do update
        set id = excluded.id, credential = excluded.credential, created_at = excluded.created_at, last_used_step = 0
        where stored.confirmed_at is null
      returning 1
    `.execute(this.em.getKysely());
    if (rows.length === 0) throw new DomainError('conflict', 'The second factor is on already.');
  }

  /** The secret to add to the app. `null`: no setup is pending. */
  async enrolment({ userId, email }: Person): Promise<{ secret: string; uri: string } | null> {
    const factor = await this.#find(userId);
    if (!factor || factor.confirmed_at !== null) return null;
    const secret = this.#open(userId, factor);
    return { secret: secret.reveal(), uri: totpUri(secret, email) };
  }

  /** Turns it on when a code of the app is right. */
  async confirm(person: Person, code: string): Promise<PasswordCheck> {
    const factor = await this.#find(person.userId);
    if (!factor || factor.confirmed_at !== null) return 'wrong';
    return this.#attempt(person, async () => {
      const step = stepOfCode(this.#open(person.userId, factor), code, this.clock.now());
      if (step === null) return false;
      return this.em.transactional(async (em) => {
        const { rows } = await sql`
          update second_factors set confirmed_at = ${this.clock.now()}, last_used_step = ${step}
          where user_id = ${person.userId} and id = ${factor.id} and confirmed_at is null returning 1
        `.execute(em.getKysely());
        if (rows.length === 0) return false;
        await this.audit.record({ userId: person.userId, kind: 'second_factor_enabled' }, em);
        return true;
      });
    });
  }

  /** Whether a code of the app, or a recovery code, is right. Each is accepted once. */
  check(person: Person, code: string): Promise<PasswordCheck> {
    return this.#attempt(person, async () => {
      const recoveryHash = hashOfRecoveryCode(code);
      return recoveryHash ? this.#useRecoveryCode(person.userId, recoveryHash) : this.#useCode(person.userId, code);
    });
  }

  /** Replaces the recovery codes. They can be shown only now. */
  async renewRecoveryCodes(userId: string): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    await this.em.transactional(async (em) => {
      await sql`delete from recovery_codes where user_id = ${userId}`.execute(em.getKysely());
      for (const code of codes) {
        await sql`
          insert into recovery_codes (user_id, code_hash, created_at)
          values (${userId}, ${hashOfRecoveryCode(code)}, ${this.clock.now()})
        `.execute(em.getKysely());
      }
      await this.audit.record({ userId, kind: 'recovery_codes_created' }, em);
    });
    return codes;
  }

  /**
   * Turns it off.
   *
   * @param kind whether the person or the operator does it
   * @returns whether it was on, or its setup pending
   */
  async remove(userId: string, kind: AuditEventKind & `second_factor_${string}`): Promise<boolean> {
    return this.em.transactional(async (em) => {
      await sql`delete from recovery_codes where user_id = ${userId}`.execute(em.getKysely());
      const { rows } = await sql`delete from second_factors where user_id = ${userId} returning 1`.execute(
        em.getKysely(),
      );
      if (rows.length > 0) await this.audit.record({ userId, kind }, em);
      return rows.length > 0;
    });
  }

  /**
   * Attempts are counted per person only: somebody who knows the password could try codes from many addresses. Such an
   * attacker can lock the person out, who then has a password to change anyway.
   */
  async #attempt({ userId, email }: Person, isRight: () => Promise<boolean>): Promise<PasswordCheck> {
    const check = await this.attempts.check({ email, client: 'second factor' }, isRight);
    if (check === 'wrong') await this.audit.record({ userId, kind: 'second_factor_failed' });
    return check;
  }

  async #useCode(userId: string, code: string): Promise<boolean> {
    const factor = await this.#find(userId);
    if (!factor) return false;
    const step = stepOfCode(this.#open(userId, factor), code, this.clock.now());
    if (step === null) return false;
    const { rows } = await sql`
      update second_factors set last_used_step = ${step}
      where user_id = ${userId} and id = ${factor.id} and last_used_step < ${step} returning 1
    `.execute(this.em.getKysely());
    return rows.length > 0;
  }

  #useRecoveryCode(userId: string, hash: Buffer): Promise<boolean> {
    return this.em.transactional(async (em) => {
      const { rows } = await sql`
        update recovery_codes set used_at = ${this.clock.now()}
        where user_id = ${userId} and code_hash = ${hash} and used_at is null returning 1
      `.execute(em.getKysely());
      if (rows.length > 0) await this.audit.record({ userId, kind: 'recovery_code_used' }, em);
      return rows.length > 0;
    });
  }

  async #find(userId: string): Promise<FactorRow | null> {
    const { rows } = await sql<FactorRow>`
      select id, credential, confirmed_at from second_factors where user_id = ${userId}
    `.execute(this.em.getKysely());
    return rows[0] ?? null;
  }

  #open(userId: string, { id, credential }: FactorRow): Secret {
    return this.vault.open(credential, credentialOwner({ userId, id }));
  }
}
