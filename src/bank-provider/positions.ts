import { minorDigits, type QuotationUnit, quotationUnit } from '../money/currency.js';
import { sumDecimals } from '../money/decimals.js';
import { isTooLarge, MAX_AMOUNT_MINOR, parseMinor } from '../money/minor-units.js';
import type { SnapshotHolding } from './bank-provider.js';
import { lineOf, messageText } from './read-values.js';

const CASH_NAMES =
  /\b(money (market|mkt)|(cash|bank|deposit) sweep|sweep (program|deposit|account)|settlement fund|cash reserves?|(insured )?bank deposit program)\b/i;
/** US money-market funds have five-letter tickers that end in XX. */
const CASH_TICKER = /^[A-Z]{3}XX$/;

/** Lots of one external id become one position. */
export function mergeLots(lots: readonly SnapshotHolding[]): Read<SnapshotHolding[]> {
  const positions = new Map<string, SnapshotHolding>();
  for (const lot of lots) {
    const known = positions.get(lot.externalId);
    const position = known ? sumOfLots(known, lot) : lot;
    if (Math.abs(position.valueMinor) > MAX_AMOUNT_MINOR) return tooLarge(`the value of “${lot.name}”`);
    positions.set(lot.externalId, position);
  }
  return { value: [...positions.values()], issue: null };
}

function sumOfLots(a: SnapshotHolding, b: SnapshotHolding): SnapshotHolding {
  const cost = a.costBasisMinor === null || b.costBasisMinor === null ? null : a.costBasisMinor + b.costBasisMinor;
  return {
    ...a,
    quantity: sumDecimals(a.quantity, b.quantity),
    valueMinor: a.valueMinor + b.valueMinor,
    costBasisMinor: cost !== null && Math.abs(cost) > MAX_AMOUNT_MINOR ? null : cost,
  };
}

/** The unit that a text names, or the usual one where it names none; `null`: it names an unknown one. */
export function unitOf(text: string | null | undefined, usual: QuotationUnit | null): QuotationUnit | null {
  return lineOf(text) === null ? usual : quotationUnit(text);
}

/** A list of holdings that cannot be read, and why. */
export interface Unread {
  value: null;
  issue: string;
  /** Whether nothing is wrong but an amount beyond the limit. */
  isTooLarge?: true;
}

export type Read<T> = { value: T; issue: null } | Unread;

export function unreadable(issue: string): Unread {
  return { value: null, issue };
}

/** @param text the value of a holding, of which there is no amount */
export function unreadableValue(name: string, text: string | null | undefined, unit: QuotationUnit): Unread {
  return isTooLarge(text?.trim() ?? '', minorDigits(unit.currency)! + unit.exponent)
    ? tooLarge(`the value of “${name}”`)
    : unreadable(`the value of “${name}” is no amount`);
}

function tooLarge(what: string): Unread {
  return { value: null, issue: `${what} is larger than Tidemark can keep exactly`, isTooLarge: true };
}

/** What is wrong with a holding in no known unit. */
export function unknownUnit(name: string, named: string | null): string {
  return `“${name}” ${named ? `is in “${messageText(named)}”, which is no known currency` : 'names no currency'}`;
}

/** A reported amount in minor units of the currency; `null`: it is none. */
export function quotedMinor(text: string | null | undefined, { currency, exponent }: QuotationUnit): number | null {
  return parseMinor(text?.trim() ?? '', minorDigits(currency)! + exponent);
}

/** Whether a holding is a money-market fund or a sweep, which count as cash. */
export function isCashEquivalent(symbol: string | null, name: string): boolean {
  return CASH_NAMES.test(name) || CASH_TICKER.test(symbol ?? '');
}
