import type { Request } from 'express';
import { isSafeMethod } from '../../http/safe-method.js';

/** A form that was refused, or whose session had ended. Its page shows it again as it was typed. */
interface TypedForm {
  /** Where it is sent. */
  action: string;
  fields: URLSearchParams;
}

/** Whether a request changes something: the pages do so by forms only. */
export function sendsForm(request: Request): boolean {
  return !isSafeMethod(request);
}

/** Which form it was, in the address of its page. */
const ACTION = 'form';
/** What may stand in an address: never a password, a code or a credential. */
const KEPT_IN_ADDRESS = new RegExp(
  '^(name|preset|scopes|accounts|account_ids|expiry|overlap|provider|history_days|include_pending|history|account_type' +
    '|closed_on|hidden|include_in_net_worth|time_zone|theme|number_format|description|event_types|type-[0-9a-f-]{36})(_was)?$',
);
/** What may stand on a page as well. The address of a webhook may hold a secret. */
const KEPT_ON_PAGE = /^(email|url|url_was)$/;
/** It is sent in a header, which may have a few kilobytes. */
export const MAX_ADDRESS_CHARS = 2_000;
/** Marks a page in its address as that of a form which was not carried out, because its session had ended. */
const UNSENT = 'unsent';

/** The page that says that its form was not carried out, with what was typed in its address where that is not too long. */
export function pageOfUnsent(page: string, request: Request): string {
  const query = new URLSearchParams({ [UNSENT]: '1', [ACTION]: request.path });
  const texts = textsIn(request.body);
  const compared = new Set(texts.flatMap(([name]) => (name.endsWith('_was') ? [name, name.slice(0, -4)] : [])));
  for (const [name, text] of texts) {
    // Empty is a change where the form showed something, and the other way round.
    if (KEPT_IN_ADDRESS.test(name) && (text || compared.has(name))) query.append(name, text);
  }
  const address = `${page}?${query.toString()}`;
  return query.size > 2 && address.length <= MAX_ADDRESS_CHARS ? address : `${page}?${UNSENT}=1`;
}

export function isUnsent({ method, query }: Request): boolean {
  return method !== 'POST' && query[UNSENT] !== undefined;
}

/** `null`: nothing was typed into a form of this page. */
export function typedFormIn(request: Request): TypedForm | null {
  const { [ACTION]: named, ...query } = request.query;
  const isSent = request.method === 'POST';
  const action = isSent ? request.baseUrl + request.path : named;
  if (typeof action !== 'string') return null;
  const fields = new URLSearchParams();
  for (const [name, text] of textsIn(isSent ? request.body : query)) {
    if (KEPT_IN_ADDRESS.test(name) || (isSent && KEPT_ON_PAGE.test(name))) fields.append(name, text);
  }
  return { action, fields };
}

/** All texts of a form or an address with their names, untrusted. */
function textsIn(fields: unknown): [name: string, text: string][] {
  return Object.entries((fields ?? {}) as Record<string, unknown>).flatMap(([name, values]) =>
    [values].flat().flatMap((text): [string, string][] => (typeof text === 'string' ? [[name, text]] : [])),
  );
}
