import type { Request } from 'express';
import { isSafeMethod } from '../../http/safe-method.js';

/** A form that was refused. Its page shows it again as it was typed. */
interface TypedForm {
  /** Where it is sent. */
  action: string;
  fields: URLSearchParams;
}

/** Whether a request changes something: the pages do so by forms only. */
export function sendsForm(request: Request): boolean {
  return !isSafeMethod(request);
}

/** What may stand on a page again: never a password, a code or a credential. */
const KEPT_ON_PAGE = new RegExp(
  '^(email|url|name|preset|scopes|accounts|account_ids|expiry|overlap|provider|history_days|include_pending|history' +
    '|account_type|closed_on|hidden|include_in_net_worth|time_zone|theme|number_format|description|event_types' +
    '|type-[0-9a-f-]{36})(_was)?$',
);
/** Marks a page in its address as that of a form which was not carried out, because its session had ended. */
const UNSENT = 'unsent';

/** The page of a form that was not carried out, and says so. What was typed is gone: no address may have it. */
export function pageOfUnsent(page: string): string {
  return `${page}?${UNSENT}=1`;
}

export function isUnsent({ method, query }: Request): boolean {
  return method !== 'POST' && query[UNSENT] !== undefined;
}

/** `null`: this page answers no form. */
export function typedFormIn(request: Request): TypedForm | null {
  if (request.method !== 'POST') return null;
  const fields = new URLSearchParams();
  for (const [name, values] of Object.entries((request.body ?? {}) as Record<string, unknown>)) {
    const texts = KEPT_ON_PAGE.test(name) ? [values].flat() : [];
    for (const text of texts) if (typeof text === 'string') fields.append(name, text);
  }
  return { action: request.baseUrl + request.path, fields };
}
