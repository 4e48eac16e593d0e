import { deriveHistory } from '../../src/balances/engine/derive-history.js';
import type { BalanceHistory } from '../../src/balances/engine/history.js';
import type { Entry, Ledger, Observation } from '../../src/balances/engine/ledger.js';
import type { SnapshotAccount } from '../../src/providers/bank-provider.js';
import { matchListing, type WrittenRow } from '../../src/sync/ingest/matching/match-listing.js';
import { PASSES } from '../../src/sync/ingest/matching/passes.js';
import type { StoredRow } from '../../src/sync/ingest/matching/pair-rows.js';
import { dateOfDayNumber, dayNumber } from '../../src/platform/time/calendar-date.js';

// The product without its database: the rules of `IngestAccountService`, `storeBalanceReport` and `loadLedger` on maps,
// with the product's own matching and engine.

interface Stored {
  row: StoredRow;
  listedFrom: number;
}

interface Version extends Stored {
  listedUntil: number;
}

export class Service {
  /** By our ids. */
  readonly #rows = new Map<string, Stored>();
  readonly #versions: Version[] = [];
  readonly #withdrawn = new Map<string, StoredRow>();
  readonly #observations: Observation[] = [];
  #lastReport = '';
  #nextId = 0;

  constructor(
    readonly type: Ledger['accountType'],
    readonly includePending: boolean,
  ) {}

  /** @param day of the answer in the person's timezone */
  ingest(snapshot: SnapshotAccount, at: number, day: number): void {
    const changed = this.#ingestRows(snapshot, at);
    const { balance, currency, transactions } = snapshot;
    if (!balance || currency === null) return;
    const pendingMinor = transactions.filter((row) => row.pending && row.currency === currency);
    const amounts = pendingMinor.map(({ amountMinor }) => amountMinor).sort((a, b) => a - b);
    const report = JSON.stringify([day, balance, amounts]);
    if (!changed && report === this.#lastReport) return;
    this.#lastReport = report;
    const balanceDay = balance.date === null ? null : dayNumber(balance.date);
    const { amountMinor: balanceMinor } = balance;
    this.#observations.push({ observedAt: at, day, balanceMinor, balanceDay, pendingMinor: amounts, holdings: null });
  }

  ledger(until: number): Ledger {
    const observations = [...this.#observations];
    const seenAt = (moment: number) =>
      observations.find(({ observedAt }) => observedAt >= moment)?.observedAt ?? moment;
    const posted = [...this.#rows.values()].filter(({ row }) => !row.pending);
    const versions = [...posted.map((stored) => ({ ...stored, listedUntil: null })), ...this.#versions];
    const entries: Entry[] = [];
    for (const { row, listedFrom, listedUntil } of versions) {
      if (row.currency !== 'USD' || (listedUntil !== null && listedUntil <= listedFrom)) continue;
      const [from, to] = [seenAt(listedFrom), listedUntil === null ? null : seenAt(listedUntil)];
      if (from === to) continue;
      const day = dayNumber(row.date);
      entries.push({ key: row.id, day, amountMinor: row.amountMinor, listedFrom: from, listedUntil: to });
    }
    return { accountType: this.type, until, completeOn: until, entries, observations };
  }

  derive(until: number): BalanceHistory | null {
    return deriveHistory(this.ledger(until));
  }

  /** @returns whether rows were added, changed or removed */
  #ingestRows(snapshot: SnapshotAccount, at: number): boolean {
    const stored = [...this.#rows.values()].map(({ row }) => row);
    const context = { seenAt: new Date(at), includePending: true };
    const plan = matchListing([...stored, ...this.#withdrawn.values()], snapshot, PASSES, context);
    for (const id of plan.ended.keys()) this.#versions.push({ ...this.#rows.get(id)!, listedUntil: at });
    for (const id of plan.withdrawn.keys()) {
      this.#withdrawn.set(id, { ...this.#rows.get(id)!.row, isWithdrawn: true });
      this.#rows.delete(id);
    }
    for (const id of plan.expired) this.#rows.delete(id);
    for (const [id, externalId] of plan.externalIds) this.#change(id, { externalId });
    for (const [id, holdExternalId] of plan.holdIds) this.#change(id, { holdExternalId });
    for (const id of plan.missing) this.#change(id, { missingSince: at });
    for (const id of plan.found) this.#change(id, { missingSince: null });
    for (const written of plan.written) this.#write(written, at);
    return plan.written.length + plan.withdrawn.size + plan.expired.length > 0;
  }

  #change(id: string, change: Partial<StoredRow>): void {
    const stored = this.#rows.get(id);
    if (stored) this.#rows.set(id, { ...stored, row: { ...stored.row, ...change } });
    // What is withdrawn keeps its last id for the day on which it returns.
    else this.#withdrawn.set(id, { ...this.#withdrawn.get(id)!, ...change });
  }

  #write({ id, row, restored, holdExternalId }: WrittenRow, at: number): void {
    const before = this.#rows.get(id)?.row ?? restored;
    this.#withdrawn.delete(id);
    // Ids of its own, because theirs differ in each run.
    const ownId = before?.id ?? `t${String(this.#nextId++).padStart(5, '0')}`;
    const none = { storedOn: dateOfDayNumber(Math.floor(at / 86_400_000)), firstSeenAt: '', createdAt: '' };
    const stored = { ...(before ?? { ...none, holdExternalId }), ...row, id: ownId, missingSince: null };
    this.#rows.set(ownId, { row: { ...stored, isWithdrawn: false }, listedFrom: at });
  }
}
