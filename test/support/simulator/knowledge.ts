import type { AccountType } from '../../../src/balances/engine/ledger.js';
import type { Period } from './bank.js';
import type { Report } from './feed.js';
import type { Member } from './household.js';
import type { ListedRow } from './listed-rows.js';
import { dayOf, isWithin } from './span.js';
import { isStated, type Movement } from './truth.js';

/** Movements of so many days before the first report matter to how the reports belong to the list. */
const DAYS_BEFORE = 10;
/** After so many changes of the balance a lasting trait of the bank has shown itself. */
const SHOWN_AFTER = 3;
/** A trait that lasts less is no trait: the balances of that time cannot be understood. */
const TRAIT_DAYS = 21;

/** How a report's balance belongs to the list: it has what was listed beside it, or what the list dates up to its day. */
export type Cut = 'listed' | 'dated';

type Interval = readonly [from: number, until: number];

/** When an account's movements were listed, and which reports can be understood. */
export class Knowledge {
  readonly reports: Report[] = [];
  /** Rows that stand for no movement. */
  readonly doubles: readonly ListedRow[];
  private readonly listed = new Map<Movement, Interval[]>();
  private readonly relevant: readonly Movement[];
  private readonly cuts: (Cut | null)[] = [];

  constructor(
    readonly member: Member,
    rows: readonly ListedRow[],
    firstDay: number,
  ) {
    for (const { movements, listedFrom, listedUntil } of rows) {
      for (const movement of movements) {
        this.listed.set(movement, [...(this.listed.get(movement) ?? []), [listedFrom, listedUntil]]);
      }
    }
    this.doubles = rows.filter(({ movements }) => movements.length === 0);
    const { movements } = member.account;
    this.relevant = movements.filter(
      (movement) =>
        !movement.isTrade &&
        movement.day >= firstDay - DAYS_BEFORE &&
        (this.listed.has(movement) || movement.statedUntil !== undefined),
    );
  }

  add(report: Report): void {
    this.reports.push(report);
    this.cuts.push(this.cutOf(report));
  }

  seenAt(movement: Movement): number {
    return Math.min(Infinity, ...(this.listed.get(movement) ?? []).map(([from]) => from));
  }

  isListed(movement: Movement, moment: number): boolean {
    return (this.listed.get(movement) ?? []).some(([from, until]) => from <= moment && moment < until);
  }

  /** Reports whose balance can be understood by now, and how each belongs to the list. */
  usable(): { report: Report; cut: Cut }[] {
    const changes = (of: (report: Report) => string | number) => changesOf(this.reports.map(of));
    const { account, bank } = this.member;
    if (account.type === 'credit_card' && bank.debtPositive && changes(balanceOf) < SHOWN_AFTER) return [];
    if (!this.isSignShown()) return [];
    const phases = this.phases();
    const statements = new Set(this.reports.map((report) => dayOf(report.balanceOf))).size;
    return this.reports.flatMap((report, index) => {
      const cut = this.cuts[index]!;
      if (!cut || !phases(report)) return [];
      if (cut === 'dated' && report.observation.balanceDay === null && statements < SHOWN_AFTER) return [];
      return [{ report, cut }];
    });
  }

  /**
   * Rows in the other sign, and balances in the other sign, bring the same feed up to a sign. What tells them apart is that
   * accounts that are owned are mostly above zero, and cards below.
   */
  private isSignShown(): boolean {
    const { account, bank } = this.member;
    const { reversed, rowsReversed } = bank.figure;
    const isAlways = [reversed, rowsReversed].some((period) => period?.[0] === -Infinity);
    if (!isAlways || isLoan(account.type)) return true;
    const usual = (reversed ? -1 : 1) * (account.type === 'credit_card' ? -1 : 1);
    const typical = this.reports.filter((report) => balanceOf(report) * usual > 0).length;
    return typical > this.reports.length / 2;
  }

  /** The day since when rows are in another sign than before, as long as that has not shown itself. */
  reversedRows(): number[] {
    const period = this.member.bank.figure.rowsReversed;
    const first = this.reports.find(({ observation }) => isWithin(period, observation.observedAt));
    if (!period || !first || this.shownIn([period, false], balanceOf)(first)) return [];
    return [first.observation.day - DAYS_BEFORE];
  }

  /** Whether what the bank's figures mean at the time of a report has shown itself by now. */
  private phases(): (report: Report) => boolean {
    const { account, bank } = this.member;
    const { reversed, rowsReversed, holdsCount } = bank.figure;
    const signs = isLoan(account.type) ? [] : [reversed];
    const shown = [...signs, rowsReversed].map((period) => this.shownBy(period, balanceOf));
    const hasHolds = ({ observation, listedHoldsMinor }: Report) =>
      observation.pendingMinor.length > 0 || listedHoldsMinor !== 0;
    const holdsShown = this.shownIn([holdsCount, true], ({ observation }) => observation.pendingMinor.join());
    return (report) => shown.every((isShown) => isShown(report)) && (holdsShown(report) || !hasHolds(report));
  }

  /** A trait that the bank has for a period: reports of the period are understood once the trait has shown itself. */
  private shownBy(period: Period | null, of: (report: Report) => string | number): (report: Report) => boolean {
    if (!period) return () => true;
    const isShown = this.shownIn([period, false], of);
    const isBrief = period[1] - period[0] < TRAIT_DAYS;
    return (report) => !isWithin(period, report.observation.observedAt) || (!isBrief && isShown(report));
  }

  /** @param always whether the trait has to show itself outside of the period too */
  private shownIn(
    [period, always]: [period: Period, always: boolean],
    of: (report: Report) => string | number,
  ): (report: Report) => boolean {
    const isIn = ({ observation }: Report) => isWithin(period, observation.observedAt);
    const inside = changesOf(this.reports.filter(isIn).map(of)) >= SHOWN_AFTER;
    const outside = changesOf(this.reports.filter((report) => !isIn(report)).map(of)) >= SHOWN_AFTER;
    return (report) => (isIn(report) ? inside : always ? outside : true);
  }

  private cutOf(report: Report): Cut | null {
    const { observation, hiddenHolds, accruedMinor, isZeroed, balanceOf } = report;
    if (hiddenHolds.length > 0 || accruedMinor !== 0 || isZeroed) return null;
    const has = (movement: Movement) => movement.bookedAt <= balanceOf && isStated(movement, balanceOf);
    const { observedAt } = observation;
    if (this.relevant.every((movement) => has(movement) === this.isListed(movement, observedAt))) return 'listed';
    if (observation.balanceDay === null && !this.member.bank.figure.statement) return null;
    const lastDay = dayOf(balanceOf);
    return this.relevant.every((movement) => has(movement) === movement.day <= lastDay) ? 'dated' : null;
  }
}

function isLoan(type: AccountType | null): boolean {
  return type === 'loan' || type === 'other_liability';
}

function balanceOf({ observation }: Report): number {
  return observation.balanceMinor;
}

function changesOf(values: readonly (string | number)[]): number {
  return values.filter((value, index) => index > 0 && value !== values[index - 1]).length;
}
