import { z } from 'zod';
import type { PartlyParsed } from '../bank-provider/json-in-parts.js';
import { check, type Checked, parsePayload } from '../bank-provider/parse-payload.js';
import { ProviderError } from '../bank-provider/provider-error.js';
import { oneLine } from '../bank-provider/text.js';
import { WorkSlices } from '../time/work-slices.js';
import { ACCOUNT, COMPLAINTS, ENVELOPE, HOLDING, IDENTIFIED, SERVER_INFO, TRANSACTION } from './schemas.js';
import { usualTransaction } from './usual-transaction.js';

/** Nobody speaks more; a longer list is no list of versions. */
const MAX_VERSIONS = 20;
const MAX_VERSION_CHARS = 20;

export type Complaint = NonNullable<z.output<typeof COMPLAINTS>['errors']>[number];
export type WireConnection = NonNullable<z.output<typeof ENVELOPE>['connections']>[number];
export type WireAccount = z.output<typeof ACCOUNT>;
export type WireTransaction = z.output<typeof TRANSACTION>;
export type WireHolding = z.output<typeof HOLDING>;

/** An answer to `/accounts` in whichever dialect. */
export interface AccountSet {
  /** Of both lists, since something new may stand in the deprecated one only. */
  complaints: Complaint[];
  /** The older dialect: complaints are mere words. */
  isWordsOnly: boolean;
  connections: WireConnection[];
  accounts: WireAccount[];
  /** Accounts that are not as expected; `id` where at least that could be read. */
  surprises: { id: string | null; surprise: string }[];
}

/**
 * @throws ProviderError `unexpected_reply` when nothing is as expected; one account or row does not spoil the others;
 * `answer_too_large` for more of anything than is read
 */
export async function readAccountSet(reply: PartlyParsed, signal: AbortSignal): Promise<AccountSet> {
  const { connections, accounts: raw, ...complaints } = parsePayload(ENVELOPE, reply, 'The provider’s answer');
  const accounts: WireAccount[] = [];
  const surprises: AccountSet['surprises'] = [];
  const slices = new WorkSlices(signal);
  for (const [index, item] of raw.entries()) {
    if (slices.isOver) await slices.giveWay();
    const { value, surprise } = check(ACCOUNT, item, `$.accounts[${index}]`);
    if (surprise === null) accounts.push(value);
    else surprises.push({ id: check(IDENTIFIED, item).value?.id ?? null, surprise });
  }
  const [first] = surprises;
  if (first && accounts.length === 0) {
    throw new ProviderError('unexpected_reply', `The provider’s answer is not as expected at ${first.surprise}.`);
  }
  const isWordsOnly = !complaints.errlist;
  return { complaints: listOf(complaints), isWordsOnly, connections: connections ?? [], accounts, surprises };
}

/** What a refusal says; `null` for a page, and for JSON that is not the protocol's. */
export function readRefusal(body: string): Complaint[] | null {
  try {
    const refusal = z.looseObject(COMPLAINTS.shape).parse(JSON.parse(body));
    const complaints = listOf(refusal);
    return Array.isArray(refusal['accounts']) || complaints.some(isAuthRefusal) ? complaints : null;
  } catch {
    return null;
  }
}

/** Whether the credential itself is not accepted. */
export function isAuthRefusal(complaint: Complaint): boolean {
  return typeof complaint === 'object' && complaint.code === 'gen.auth';
}

/** The words of a complaint, wherever they stand; empty when there are none. */
export function wordsOf(complaint: Complaint): string {
  return typeof complaint === 'string' ? complaint : complaint.msg || complaint.message || '';
}

export function readTransaction(item: unknown): Checked<WireTransaction> {
  const usual = usualTransaction(item);
  return usual ? { value: usual, surprise: null } : check(TRANSACTION, item);
}

export function readHolding(item: unknown): Checked<WireHolding> {
  return check(HOLDING, item);
}

/** @throws ProviderError `unexpected_reply` */
export function readServerVersions(reply: PartlyParsed): string[] {
  const { versions } = parsePayload(SERVER_INFO, reply, 'The provider’s server information');
  return versions.slice(0, MAX_VERSIONS).map((version) => oneLine(version, MAX_VERSION_CHARS));
}

/** A server may repeat in the older list, as mere words, what the newer one tells in full. */
function listOf({ errlist, errors }: z.output<typeof COMPLAINTS>): Complaint[] {
  const told = new Set((errlist ?? []).map(wordsOf));
  return [...(errlist ?? []), ...(errors ?? []).filter((complaint) => !told.has(wordsOf(complaint)))];
}
