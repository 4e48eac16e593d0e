import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Secret } from '../../platform/config/secret.js';
import { reader } from '../../database/reader.js';
import { DomainError } from '../../platform/domain-error.js';
import { Clock } from '../../platform/time/clock.js';
import { credentialOwner, CredentialVault } from '../../platform/vault/credential-vault.js';
import { AuditTrailService } from '../audit/audit-trail.service.js';
import type { CoreAuditEventKind } from '../audit/audit-event.js';
import { type PasswordCheck, PasswordAttemptsService } from '../password-attempts.service.js';
import { RecoveryCode } from './recovery-code.entity.js';
import { hashOfRecoveryCode, newRecoveryCode, newTotpSecret, stepOfCode, totpUri } from './codes.js';
import { SecondFactor } from './second-factor.entity.js';
import { SecondFactorsRepository } from './second-factors.repository.js';

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

/** A second factor: one-time codes of an authenticator app (RFC 6238), and recovery codes for when the app is lost. */
@Injectable()
export class SecondFactorService {
  constructor(
    private readonly em: EntityManager,
    private readonly factors: SecondFactorsRepository,
    private readonly vault: CredentialVault,
    private readonly attempts: PasswordAttemptsService,
    private readonly clock: Clock,
    private readonly audit: AuditTrailService,
  ) {}

  async state(userId: string): Promise<SecondFactorState> {
    const found = await this.factors.findState(userId);
    if (!found?.confirmed_at) return { onSince: null, recoveryCodesLeft: 0 };
    return { onSince: new Date(found.confirmed_at), recoveryCodesLeft: Number(found.codes_left) };
  }

  /**
   * Creates a secret for an app, replacing a pending one. Sign-in does not require it until a first code confirms it.
   */
  async begin(userId: string): Promise<void> {
    const id = randomUUID();
    const credential = this.vault.seal(newTotpSecret(), credentialOwner({ userId, id }));
    const begun = await this.factors.begin({ userId, id, credential }, this.clock.now());
    if (!begun) throw new DomainError('conflict', 'The second factor is on already.');
  }

  /** The secret to add to the app. `null`: no setup is pending. */
  async enrolment({ userId, email }: Person): Promise<{ secret: string; uri: string } | null> {
    const factor = await this.#find(userId);
    if (!factor || factor.confirmedAt !== null) return null;
    const secret = this.#open(factor);
    return { secret: secret.reveal(), uri: totpUri(secret, email) };
  }

  /** Turns it on when a code of the app is right. */
  async confirm(person: Person, code: string): Promise<PasswordCheck> {
    const { userId } = person;
    const factor = await this.#find(userId);
    if (!factor || factor.confirmedAt !== null) return 'wrong';
    return this.#attempt(person, async () => {
      const now = this.clock.now();
      const step = stepOfCode(this.#open(factor), code, now);
      if (step === null) return false;
      return this.em.transactional(async (em) => {
        const pending = { userId, id: factor.id, confirmedAt: null };
        const confirmed = await em.nativeUpdate(SecondFactor, pending, { confirmedAt: now, lastUsedStep: step });
        if (confirmed === 0) return false;
        await this.audit.record({ userId, kind: 'second_factor_enabled' });
        return true;
      });
    });
  }

  /**
   * Whether a code of the app, or a recovery code, is right. Each is accepted once. Recovery codes are too long to be
   * guessed, so their attempts are not limited: whoever knows the password cannot keep the owner from using one.
   */
  async check(person: Person, code: string): Promise<PasswordCheck> {
    const { userId } = person;
    const recoveryHash = hashOfRecoveryCode(code);
    if (!recoveryHash) return this.#attempt(person, () => this.#useCode(userId, code));
    if (await this.#useRecoveryCode(userId, recoveryHash)) return 'right';
    await this.audit.record({ userId, kind: 'second_factor_failed' });
    return 'wrong';
  }

  /**
   * Replaces the recovery codes. They can be shown only now.
   *
   * @throws DomainError `conflict` when the second factor is off
   */
  async renewRecoveryCodes(userId: string): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    await this.em.transactional(async (em) => {
      if (!(await this.factors.lockConfirmed(userId))) throw new DomainError('conflict', 'The second factor is off.');
      await em.nativeDelete(RecoveryCode, { userId });
      const created = { userId, usedAt: null, createdAt: this.clock.now() };
      const stored = codes.map((code) => ({ ...created, codeHash: hashOfRecoveryCode(code)! }));
      await em.insertMany(RecoveryCode, stored);
      await this.audit.record({ userId, kind: 'recovery_codes_created' });
    });
    return codes;
  }

  /**
   * Turns it off.
   *
   * @param kind whether the person or the operator does it
   * @returns whether it was on, or its setup pending
   */
  async remove(userId: string, kind: CoreAuditEventKind & `second_factor_${string}`): Promise<boolean> {
    return this.em.transactional(async (em) => {
      // First, because whoever changes the codes has locked it.
      const wasOn = (await em.nativeDelete(SecondFactor, { userId })) > 0;
      await em.nativeDelete(RecoveryCode, { userId });
      if (wasOn) await this.audit.record({ userId, kind });
      return wasOn;
    });
  }

  /**
   * Attempts are counted per person only: somebody who knows the password could try codes from many addresses. The person
   * then signs in with a recovery code, and has a password to change anyway.
   */
  async #attempt({ userId, email }: Person, isRight: () => Promise<boolean>): Promise<PasswordCheck> {
    const check = await this.attempts.check({ email, client: 'second factor' }, isRight);
    if (check === 'wrong') await this.audit.record({ userId, kind: 'second_factor_failed' });
    return check;
  }

  async #useCode(userId: string, code: string): Promise<boolean> {
    const factor = await this.#find(userId);
    if (!factor) return false;
    const step = stepOfCode(this.#open(factor), code, this.clock.now());
    if (step === null) return false;
    const unused = { userId, id: factor.id, lastUsedStep: { $lt: step } };
    return (await this.em.nativeUpdate(SecondFactor, unused, { lastUsedStep: step })) > 0;
  }

  #useRecoveryCode(userId: string, hash: Buffer): Promise<boolean> {
    return this.em.transactional(async (em) => {
      if (!(await this.factors.lockConfirmed(userId))) return false;
      const unused = { userId, codeHash: hash, usedAt: null };
      const isRight = (await em.nativeUpdate(RecoveryCode, unused, { usedAt: this.clock.now() })) > 0;
      if (isRight) await this.audit.record({ userId, kind: 'recovery_code_used' });
      return isRight;
    });
  }

  #find(userId: string): Promise<SecondFactor | null> {
    return reader(this.em).findOne(SecondFactor, { userId });
  }

  #open({ userId, id, credential }: SecondFactor): Secret {
    return this.vault.open(credential, credentialOwner({ userId, id }));
  }
}
