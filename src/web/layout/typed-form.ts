import type { Request } from 'express';

/** A form that could not be taken because its session had ended, as its page shows it again after the sign-in. */
interface TypedForm {
  /** Where it is sent. */
  action: string;
  fields: URLSearchParams;
}

/** Which form it was, in the address of its page. */
const ACTION = 'form';
/** What may stand in an address: never a password, a code or a credential. */
const KEPT = new RegExp(
  '^(name|preset|scopes|expiry|provider|history_days|include_pending|history|account_type|closed_on|hidden' +
    '|include_in_net_worth|time_zone|theme|number_format|type-[0-9a-f-]{36})$',
);
const MAX_CHARS = 2_000;

/** The page with what was typed in its address; without it where that is too long. */
export function pageWithTyped(page: string, request: Request): string {
  const body = (request.body ?? {}) as Record<string, unknown>;
  const query = new URLSearchParams({ [ACTION]: request.path });
  for (const [name, values] of Object.entries(body)) {
    if (!KEPT.test(name)) continue;
    for (const value of [values].flat()) if (typeof value === 'string' && value) query.append(name, value);
  }
  const address = `${page}?${query.toString()}`;
  return query.size > 1 && address.length <= MAX_CHARS ? address : page;
}

/** `null`: the address of the page has none. */
export function typedFormIn({ method, query }: Request): TypedForm | null {
  const { [ACTION]: action, ...given } = query as Record<string, string | string[]>;
  if (method !== 'GET' || typeof action !== 'string') return null;
  const fields = new URLSearchParams();
  for (const [name, values] of Object.entries(given)) {
    if (KEPT.test(name)) for (const value of [values].flat()) fields.append(name, value);
  }
  return { action, fields };
}
