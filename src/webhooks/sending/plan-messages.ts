import type { ChangeEvent, ChangeKind } from '../../change-log/change.js';
import type { WebhookEventType } from '../event-types.js';

/** A part of the change log, as far as messages show it. */
export interface LoggedPart {
  revision: number;
  committedAt: Date;
  kind: ChangeKind;
  accountId: string | null;
  ids: readonly string[] | null;
  event: ChangeEvent | null;
}

/** A message for an endpoint: the changes from one revision to another, both inclusive. */
export interface PlannedMessage {
  type: WebhookEventType;
  from: number;
  upto: number;
  at: Date;
  /** Of changes: the accounts; `null`: any account may have changed. */
  accountIds: readonly string[] | null;
  /** Of an event: the sync or connection. */
  subjectId: string | null;
}

/** A message with more accounts names none, so that it stays small. */
const MAX_ACCOUNT_IDS = 100;

/**
 * Plans the messages for a part of the log, in its order. Changes of one kind with nothing else between them are one
 * message, so that an endpoint that was down for a day gets one and not a thousand.
 *
 * @param parts in the order of the log
 */
export function planMessages(
  parts: readonly LoggedPart[],
  wanted: ReadonlySet<WebhookEventType>,
): readonly PlannedMessage[] {
  const messages: PlannedMessage[] = [];
  let open = new Map<WebhookEventType, PlannedMessage>();
  for (const part of parts) {
    if (part.event !== null) {
      if (!wanted.has(part.event)) continue;
      for (const subjectId of part.ids ?? []) messages.push({ ...messageOf(part, part.event), subjectId });
      open = new Map();
      continue;
    }
    const type = changeTypeOf(part.kind);
    if (!type || !wanted.has(type)) continue;
    const known = open.get(type);
    if (known) {
      extend(known, part);
      continue;
    }
    const message = { ...messageOf(part, type), accountIds: part.accountId ? [part.accountId] : null };
    open.set(type, message);
    messages.push(message);
  }
  return messages;
}

function changeTypeOf(kind: ChangeKind): WebhookEventType | null {
  return kind === 'balances' || kind === 'transactions' ? `${kind}.changed` : null;
}

function messageOf({ revision, committedAt }: LoggedPart, type: WebhookEventType): PlannedMessage {
  return { type, from: revision, upto: revision, at: committedAt, accountIds: null, subjectId: null };
}

function extend(message: PlannedMessage, { revision, committedAt, accountId }: LoggedPart): void {
  message.upto = revision;
  message.at = committedAt;
  const accountIds = accountId && message.accountIds ? new Set([...message.accountIds, accountId]) : null;
  message.accountIds = accountIds && accountIds.size <= MAX_ACCOUNT_IDS ? [...accountIds] : null;
}
