import { randomUUID } from 'node:crypto';
import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { expressionBuilder } from 'kysely';
import Bowser from 'bowser';
import { afterCommit } from '../../database/sessions/held-session.js';
import { DAY_MS } from '../../time/calendar-date.js';
import { Clock } from '../../time/clock.js';
import type { ApiKey } from '../api-key.entity.js';
import type { User } from '../user.entity.js';
import { type AuditEventKind, type AuditEventsTables, FAILED_ATTEMPTS, type NewAuditEvent } from './audit-event.js';
import { knownCallerOf } from '../../http/caller.js';
import { clientAddressOf } from '../../http/client-network.js';
import { currentRequest } from '../../http/request-context.js';

type Tables = AuditEventsTables & InferClassEntityDB<typeof ApiKey | typeof User>;

/** Per person, so that guessing passwords does not fill the table. The log has all attempts. */
const MAX_FAILED_ATTEMPTS_PER_DAY = 100;

type LoggedEvent = Pick<NewAuditEvent, 'subjectId' | 'isByItself'> & {
  userId: string | null;
  kind: AuditEventKind | 'user_deleted';
};

/**
 * Records what is done with a person's account, each event as a row and as a line of the log. Rows are only added: the
 * database refuses to change them. Only `pruneAuditEvents` and the deletion of the person remove them.
 */
@Injectable()
export class AuditTrailService {
  readonly #log = new Logger('Audit');

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Records an event with the address and the device of the request under way, in the transaction of what is recorded,
   * in which this is the last statement.
   */
  async record(event: NewAuditEvent): Promise<void> {
    await this.#insert(event);
    this.log(event);
  }

  /** @param userId `null`: nobody has the e-mail address. It takes the same time, which must not reveal that. */
  async recordFailedSignIn(userId: string | null): Promise<void> {
    await this.#insert({ userId: userId ?? randomUUID(), kind: 'sign_in_failed' });
    this.log({ userId, kind: 'sign_in_failed' });
  }

  /** Writes only the line of the log, after the commit: for an event of nobody, or of a deleted person. */
  log({ userId, kind, subjectId, isByItself }: LoggedEvent): void {
    const { clientAddress, device, apiKeyId } = originOf(isByItself);
    const line = {
      message: kind.replaceAll('_', ' '),
      event: kind,
      user_id: userId,
      subject_id: subjectId,
      client_address: clientAddress,
      device,
      api_key_id: apiKeyId ?? undefined,
    };
    afterCommit(() => this.#log.log(line));
  }

  /** Only of a person who exists. */
  async #insert({ userId, kind, ...about }: NewAuditEvent): Promise<void> {
    const { clientAddress, device, apiKeyId } = originOf(about.isByItself);
    const now = this.clock.now();
    const kysely = this.em.getKysely<Tables>();
    const event = kysely
      .selectNoFrom((eb) => [
        eb.cast<string>(eb.val(userId), 'uuid').as('user_id'),
        eb.val(now).as('occurred_at'),
        eb.val(kind).as('kind'),
        eb.val(about.subjectId ?? null).as('subject_id'),
        eb.val(about.subject ?? null).as('subject'),
        eb.val(clientAddress).as('client_address'),
        eb.val(device).as('device'),
        eb.selectFrom('api_keys').select('hint').where('user_id', '=', userId).where('id', '=', apiKeyId!).as('hint'),
      ])
      .where((eb) => eb.exists(eb.selectFrom('users').select('id').where('id', '=', userId)))
      .$if(FAILED_ATTEMPTS.includes(kind), (event) => event.where(hasRoomForFailedAttempt(userId, now)));
    await kysely
      .insertInto('audit_events')
      .columns(['user_id', 'occurred_at', 'kind', 'subject_id', 'subject', 'client_address', 'device', 'api_key_hint'])
      .expression(event)
      .execute();
  }
}

function originOf(isByItself = false): Origin {
  return isByItself ? OWN_ORIGIN : currentOrigin();
}

function hasRoomForFailedAttempt(userId: string, now: Date) {
  const eb = expressionBuilder<Tables>();
  const recent = eb
    .selectFrom('audit_events')
    .select('number')
    .where('user_id', '=', userId)
    .where('occurred_at', '>', new Date(now.getTime() - DAY_MS))
    .where('kind', 'in', FAILED_ATTEMPTS)
    .limit(MAX_FAILED_ATTEMPTS_PER_DAY);
  const count = eb.selectFrom(recent.as('recent')).select(({ fn }) => fn.countAll<number>().as('count'));
  return eb(count, '<', MAX_FAILED_ATTEMPTS_PER_DAY);
}

const MAX_USER_AGENT_CHARS = 500;
const MAX_DEVICE_CHARS = 60;
/** The name and version that a program which is no browser begins with. */
const PRODUCT = /^([\w.-]+)(?:\/([\w.-]+))?/;

/** Where a request came from. */
interface Origin {
  clientAddress: string | null;
  device: string | null;
  apiKeyId: string | null;
}

/** Of events that the service causes by itself. */
const OWN_ORIGIN: Origin = { clientAddress: null, device: null, apiKeyId: null };

/** Of the request under way. Without a request it is the command line. */
export function currentOrigin(): Origin {
  const request = currentRequest();
  if (!request) return { clientAddress: null, device: 'Command line', apiKeyId: null };
  return {
    clientAddress: clientAddressOf(request),
    device: describeDevice(request.get('user-agent')),
    apiKeyId: knownCallerOf(request)?.apiKeyId ?? null,
  };
}

/** A user agent in a few words, such as "Firefox on Linux" or "curl 8.5.0". `null`: there is nothing to tell it by. */
export function describeDevice(userAgent: string | undefined): string | null {
  const text = (userAgent ?? '').slice(0, MAX_USER_AGENT_CHARS);
  if (text === '') return null;
  const { browser, os } = Bowser.parse(text);
  const { 1: product, 2: productVersion } = PRODUCT.exec(text) ?? [];
  // A program that is no browser says nothing of its system.
  const [name, version] = browser.name ? [browser.name, browser.version] : [product, productVersion];
  if (!name) return null;
  return (os.name ? `${name} on ${os.name}` : [name, version].filter(Boolean).join(' ')).slice(0, MAX_DEVICE_CHARS);
}
