import { deriveHistory } from '../../src/balance-engine/derive-history.js';
import type { BalanceHistory } from '../../src/balance-engine/history.js';
import type { Entry, Ledger, Observation } from '../../src/balance-engine/ledger.js';
import type { SnapshotAccount, SnapshotTransaction } from '../../src/bank-provider/bank-provider.js';
import { classifyMissing } from '../../src/ingest/matching/classify-missing.js';
import { matchLatePending, matchPendingToPosted } from '../../src/ingest/matching/match-pending-to-posted.js';
import { matchReissuedIds, matchRestored } from '../../src/ingest/matching/pair-transactions.js';
import { digestOf } from '../../src/ingest/queries/stored-accounts.queries.js';
import { dateOfDayNumber, dayNumber } from '../../src/time/calendar-date.js';

// The product without its database: the rules of `IngestTransactionsService`, `storeBalanceReport` and `loadLedger` on maps,
// with the product's own matching and engine.

const EXPIRY_MS = 3 * 86_400_000;

interface Stored {
  key: string;
  row: SnapshotTransaction;
  listedFrom: number;
  holdId: string | null;
  missingSince: number | null;
}

interface Version extends Omit<Stored, 'missingSince'> {
  listedUntil: number;
  isWithdrawn: boolean;
}

export class Service {
  readonly #rows = new Map<string, Stored>();
  readonly #versions: Version[] = [];
  readonly #observations: Observation[] = [];
  #lastReport = '';
  #nextKey = 0;

  constructor(
    readonly type: Ledger['accountType'],
    readonly includePending: boolean,
  ) {}

  /** @param day of the answer in the person's timezone */
  ingest(snapshot: SnapshotAccount, at: number, day: number): void {
    const isNew = this.#nextKey === 0;
    const changed = this.#ingestRows(snapshot, at, isNew);
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
    for (const { key, row, listedFrom, listedUntil } of versions) {
      if (row.currency !== 'USD' || (listedUntil !== null && listedUntil <= listedFrom)) continue;
      const [from, to] = [seenAt(listedFrom), listedUntil === null ? null : seenAt(listedUntil)];
      if (from === to) continue;
      const day = dayNumber(row.date);
      entries.push({ key, day, amountMinor: row.amountMinor, listedFrom: from, listedUntil: to });
    }
    return { accountType: this.type, until, completeOn: until, entries, observations };
  }

  derive(until: number): BalanceHistory | null {
    return deriveHistory(this.ledger(until));
  }

  /** @returns whether rows were added, changed or removed */
  #ingestRows(snapshot: SnapshotAccount, at: number, isNew: boolean): boolean {
    const { transactions } = snapshot;
    const { inserted, updated, missing } = this.#diff(snapshot, isNew);
    const reissued = matchReissuedIds(missing, inserted);
    this.#rename([...reissued].map(([id, row]) => [id, row.externalId]));
    const reissuedRows = new Set(reissued.values());
    const restored = isNew ? new Map<SnapshotTransaction, Withdrawn>() : this.#restore(inserted, reissuedRows, at);
    const unknown = [...inserted].filter((row) => !reissuedRows.has(row) && !restored.has(row));
    const pending = [...this.#rows.values()].map(({ row }) => row).filter((row) => row.pending);
    const { rows, pairs, posted } = this.#supersede(transactions, unknown, pending);
    const gone = missing.filter(({ externalId }) => !reissued.has(externalId));
    const today = dateOfDayNumber(Math.floor(at / 86_400_000));
    const verdict = classifyMissing(
      gone,
      snapshot,
      unknown.filter((row) => !posted.has(row)),
      today,
    );
    const changed = rows.filter((row) => updated.has(row));
    for (const { externalId } of changed) this.#keep(externalId, at);
    for (const id of verdict.reissued.keys()) this.#keep(id, at);
    this.#rename([...verdict.reissued].map(([id, row]) => [id, row.externalId]));
    let count = restored.size + verdict.withdrawn.length;
    for (const row of [...rows.filter((row) => inserted.has(row)), ...changed]) count += this.#upsert(row, at);
    for (const { pendingId, postedId } of pairs) {
      const stored = this.#rows.get(postedId);
      if (stored) stored.holdId = pendingId;
    }
    for (const id of verdict.withdrawn) {
      this.#keep(id, at, true);
      this.#rows.delete(id);
    }
    return count + this.#expire(snapshot, at) > 0;
  }

  #diff({ transactions, coveredFrom }: SnapshotAccount, isNew: boolean) {
    const inserted = new Set<SnapshotTransaction>();
    const updated = new Set<SnapshotTransaction>();
    const listed = new Set(transactions.map(({ externalId }) => externalId));
    const since = transactions.reduce((first, { date }) => (date < first ? date : first), coveredFrom ?? '9999-12-31');
    for (const row of transactions) {
      const stored = this.#rows.get(row.externalId);
      if (!stored) inserted.add(row);
      else if (digestOf(row.dateIsGuess ? { ...row, date: stored.row.date } : row) !== digestOf(stored.row)) {
        updated.add(row);
      }
    }
    const isMissing = ({ row }: Stored) => row.date >= since && !listed.has(row.externalId);
    const missing = isNew || transactions.length === 0 ? [] : [...this.#rows.values()].filter(isMissing);
    return { inserted, updated, missing: missing.map(({ row }) => row) };
  }

  #restore(inserted: ReadonlySet<SnapshotTransaction>, reissued: ReadonlySet<SnapshotTransaction>, at: number) {
    const listed = new Set([...this.#rows.values()].map(({ key }) => key));
    const newest = new Map<string, Withdrawn>();
    for (const version of this.#versions) {
      if (version.isWithdrawn && !listed.has(version.key)) newest.set(version.key, { ...version.row, version });
    }
    const rows = [...inserted].filter((row) => !reissued.has(row));
    const restored = matchRestored([...newest.values()], rows);
    for (const [{ externalId }, { version }] of restored) {
      const row = { ...version.row, externalId };
      this.#rows.set(externalId, { ...version, row, listedFrom: at, missingSince: null });
    }
    return restored;
  }

  #supersede(
    transactions: readonly SnapshotTransaction[],
    unknown: readonly SnapshotTransaction[],
    stored: readonly SnapshotTransaction[],
  ) {
    const holdIds = new Set([...this.#rows.values()].map(({ holdId }) => holdId));
    const pending = transactions.filter((row) => row.pending);
    const superseded = new Set(pending.map(({ externalId }) => externalId).filter((id) => holdIds.has(id)));
    const listed = pending.filter(({ externalId }) => !superseded.has(externalId));
    const unknownPosted = unknown.filter((row) => !row.pending);
    const matched = matchPendingToPosted(stored, listed, unknownPosted);
    const storedIds = new Set(stored.map(({ externalId }) => externalId));
    const matchedIds = new Set(matched.map(({ pendingId }) => pendingId));
    const late = listed.filter(({ externalId }) => !storedIds.has(externalId) && !matchedIds.has(externalId));
    const candidates = [...this.#rows.values()].filter(({ row, holdId }) => !row.pending && holdId === null);
    const pairs = [
      ...matched,
      ...matchLatePending(
        late,
        candidates
          .map(({ row }) => row)
          .filter(({ amountMinor }) => late.some((row) => row.amountMinor === amountMinor)),
      ),
    ];
    const ofStored = pairs.filter(({ pendingId }) => storedIds.has(pendingId));
    this.#rename(ofStored.map(({ pendingId, postedId }) => [pendingId, postedId]));
    for (const { pendingId } of pairs) superseded.add(pendingId);
    const postedIds = new Set(pairs.map(({ postedId }) => postedId));
    return {
      rows: transactions.filter((row) => !row.pending || !superseded.has(row.externalId)),
      pairs,
      posted: new Set(unknownPosted.filter(({ externalId }) => postedIds.has(externalId))),
    };
  }

  #rename(ids: readonly (readonly [from: string, to: string])[]): void {
    const renamed = ids.map(([from, to]) => [to, this.#rows.get(from)!] as const);
    for (const [from] of ids) this.#rows.delete(from);
    for (const [to, stored] of renamed) this.#rows.set(to, { ...stored, row: { ...stored.row, externalId: to } });
  }

  #keep(externalId: string, at: number, isWithdrawn = false): void {
    const stored = this.#rows.get(externalId);
    if (stored && !stored.row.pending) this.#versions.push({ ...stored, listedUntil: at, isWithdrawn });
  }

  #upsert(row: SnapshotTransaction, at: number): number {
    const stored = this.#rows.get(row.externalId);
    const kept = stored && row.dateIsGuess ? { ...row, date: stored.row.date } : row;
    if (stored && digestOf(kept) === digestOf(stored.row)) return 0;
    const key = stored?.key ?? `t${String(this.#nextKey++).padStart(5, '0')}`;
    this.#rows.set(row.externalId, {
      key,
      row: kept,
      listedFrom: at,
      holdId: stored?.holdId ?? null,
      missingSince: null,
    });
    return 1;
  }

  #expire({ transactions, complete, coveredFrom }: SnapshotAccount, at: number): number {
    if (!complete || coveredFrom === null) return 0;
    const listed = new Set(transactions.filter((row) => row.pending).map(({ externalId }) => externalId));
    let count = 0;
    for (const [id, stored] of this.#rows) {
      if (!stored.row.pending || stored.row.date < coveredFrom) continue;
      stored.missingSince = listed.has(id) ? null : (stored.missingSince ?? at);
      if (stored.missingSince === null || at - stored.missingSince < EXPIRY_MS) continue;
      this.#rows.delete(id);
      count++;
    }
    return count;
  }
}

type Withdrawn = SnapshotTransaction & { version: Version };
