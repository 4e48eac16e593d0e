import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import Bowser from 'bowser';
import { afterCommit } from '../../database/sessions/held-session.js';
import { Clock } from '../../platform/time/clock.js';
import type { AuditEventKind, NewAuditEvent } from './audit-event.js';
import { AuditEventsRepository } from './audit-events.repository.js';
import { knownCallerOf } from '../../http/caller.js';
import { clientAddressOf } from '../../http/client-network.js';
import { currentRequest } from '../../platform/request-context.js';

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
    private readonly events: AuditEventsRepository,
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

  async #insert({ userId, kind, ...about }: NewAuditEvent): Promise<void> {
    const { clientAddress, device, apiKeyId } = originOf(about.isByItself);
    await this.events.add({
      userId,
      kind,
      subjectId: about.subjectId ?? null,
      subject: about.subject ?? null,
      clientAddress,
      device,
      apiKeyId,
      occurredAt: this.clock.now(),
    });
  }
}

function originOf(isByItself = false): Origin {
  return isByItself ? OWN_ORIGIN : currentOrigin();
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
