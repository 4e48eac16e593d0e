import { minorDigits, type QuotationUnit, quotationUnit } from '../../platform/money/currency.js';
import { hundredthOf, plainDecimal, sumDecimals } from '../../platform/money/decimals.js';
import { isTooLarge, MAX_AMOUNT_MINOR, parseMinor, productMinor } from '../../platform/money/minor-units.js';
import type { SnapshotHolding, SnapshotMoney } from '../bank-provider.js';
import type { Checked } from '../parse-payload.js';
import { lineOf, messageText, type WireText } from '../read-values.js';

/** A holding in the words of its vendor. Amounts and numbers are decimal text. */
export interface RawHolding {
  /** Of the position, where the vendor has an id that stays; otherwise the security identifies it. */
  id?: string | null;
  symbol: WireText;
  name: WireText;
  /** A number of the security, an ISIN. */
  identifier?: string | null;
  currency: WireText;
  quantity: WireText;
  value: WireText;
  /** Of one unit. */
  price?: WireText;
  /** Of all units or of one, which the purchase price of one decides. */
  cost?: WireText;
  purchasePrice?: WireText;
}

/** The list of holdings of one account. */
export interface RawHoldings {
  items: readonly unknown[];
  /** @param index place in the list */
  read: (item: unknown, index: number) => Checked<RawHolding>;
  /** For holdings without one. */
  currency?: WireText;
  total?: WireText;
  /** Whether accounts of all types have such a list, so that an empty one may mean nothing. */
  isForAllTypes?: boolean;
}

/** A list of holdings that cannot be read, and why. */
export interface Unread {
  value: null;
  issue: string;
  /** Whether nothing is wrong but an amount beyond the limit. */
  isTooLarge?: true;
}

export type Read<T> = { value: T; issue: null } | Unread;

/** In addition to the currency's. */
const PRICE_DECIMALS = 4;
/** Relative difference up to which a reported cost equals price times units. */
const SAME_FIGURE = 0.01;

const CASH_NAMES =
  /\b(money (market|mkt)|(cash|bank|deposit) sweep|sweep (program|deposit|account)|settlement fund|cash reserves?|(insured )?bank deposit program)\b/i;
/** US money-market funds have five-letter tickers that end in XX. */
const CASH_TICKER = /^[A-Z]{3}XX$/;

/** A reported holding, which may be one lot of several, and its currency with the identifier of its security. */
interface Lot {
  position: SnapshotHolding;
  security: string;
}

/**
 * Reads the positions of one account, each in its own currency. The lots of one external id become one position.
 *
 * @param accountCurrency ISO 4217 code for holdings without a currency; `null`: unknown
 * @returns an issue when a holding cannot be read, because a missing position would count as cash
 */
export function readHoldings(
  { items, read, currency, total }: RawHoldings,
  accountCurrency: string | null,
): Read<SnapshotHolding[]> {
  if (items.length === 0 && /[^\s+\-0.]/.test(total ?? '')) {
    return unreadable('none is listed, but their total is not 0');
  }
  const usual = unitOf(currency, quotationUnit(accountCurrency));
  const lots: Lot[] = [];
  for (const [index, item] of items.entries()) {
    const raw = read(item, index);
    if (raw.issue !== null) return unreadable(raw.issue);
    const lot = readLot(raw.value, usual);
    if (lot.issue !== null) return lot;
    lots.push(lot.value);
  }
  return mergeLots(withDistinctIds(lots));
}

/** Whether any item is a holding, although the others or its value cannot be read. */
export function hasHolding({ items, read }: RawHoldings): boolean {
  return items.some((item, index) => plainDecimal(read(item, index).value?.quantity) !== null);
}

/** The vendor's total, in which it converts other currencies; `null`: not reported, or in no known currency. */
export function readTotal({ total, currency }: RawHoldings): Read<SnapshotMoney | null> {
  const unit = quotationUnit(currency);
  if (unit === null || lineOf(total) === null) return { value: null, issue: null };
  const amountMinor = quotedMinor(total, unit);
  if (amountMinor === null) return unreadableValue('all holdings', total, unit);
  return { value: { amountMinor, currency: unit.currency }, issue: null };
}

function readLot(raw: RawHolding, usual: QuotationUnit | null): Read<Lot> {
  const symbol = lineOf(raw.symbol);
  const name = lineOf(raw.name) ?? symbol ?? 'Unnamed security';
  const unit = unitOf(raw.currency, usual);
  if (unit === null) return unreadable(unknownUnit(name, lineOf(raw.currency)));
  const { currency } = unit;
  const quantity = plainDecimal(raw.quantity);
  const valueMinor = quotedMinor(raw.value, unit);
  if (quantity === null) return unreadable(`the quantity of “${name}” is no decimal number`);
  if (valueMinor === null) return unreadableValue(name, raw.value, unit);
  const price = plainDecimal(raw.price);
  const security = `${currency}:${raw.identifier ?? symbol ?? name}`;
  const position: SnapshotHolding = {
    externalId: raw.id ?? security,
    symbol,
    name,
    quantity,
    price: price !== null && unit.exponent === -2 ? hundredthOf(price) : price,
    valueMinor,
    currency,
    costBasisMinor: totalCost(raw, quantity, unit),
    cashEquivalent: CASH_NAMES.test(name) || CASH_TICKER.test(symbol ?? ''),
  };
  return { value: { position, security }, issue: null };
}

/**
 * Some brokers report the total cost, others that of one share. The purchase price says which; without it the cost is
 * unknown, because a wrong guess would show a loss of 99 %.
 */
function totalCost({ cost, purchasePrice }: RawHolding, quantity: string, unit: QuotationUnit): number | null {
  const price = plainDecimal(purchasePrice);
  const reported = quotedMinor(cost, unit);
  const total = price && productMinor(price, quantity, digitsOf(unit));
  const perShare = price && quotedMinor(price, unit);
  if (!reported || !total || !perShare) return null;
  if (isSameFigure(reported, total)) return reported;
  return isSameFigure(reported, perShare) ? total : null;
}

function isSameFigure(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.abs(b) * SAME_FIGURE;
}

/** An id that several securities or currencies share identifies none of them. */
function withDistinctIds(lots: readonly Lot[]): SnapshotHolding[] {
  const securities = new Map<string, string>();
  const shared = new Set<string>();
  for (const { position, security } of lots) {
    if ((securities.get(position.externalId) ?? security) !== security) shared.add(position.externalId);
    securities.set(position.externalId, security);
  }
  return lots.map(({ position, security }) =>
    shared.has(position.externalId) ? { ...position, externalId: security } : position,
  );
}

function mergeLots(lots: readonly SnapshotHolding[]): Read<SnapshotHolding[]> {
  const positions = new Map<string, SnapshotHolding>();
  for (const lot of lots) {
    const known = positions.get(lot.externalId);
    const position = known ? sumOfLots(known, lot) : lot;
    if (Math.abs(position.valueMinor) > MAX_AMOUNT_MINOR) return tooLarge(`the value of “${lot.name}”`);
    positions.set(lot.externalId, position);
  }
  const merged = [...positions.values()];
  return {
    value: merged.map((position) => ({ ...position, price: position.price ?? unitPrice(position) })),
    issue: null,
  };
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

/** Computes the price of one unit where none is reported; `null`: it cannot be computed. */
function unitPrice({ valueMinor, quantity, currency }: SnapshotHolding): string | null {
  const digits = minorDigits(currency)!;
  const price = valueMinor / 10 ** digits / Number(quantity);
  // From 10^21 on it is no plain number.
  const text = plainDecimal(price.toFixed(digits + PRICE_DECIMALS))?.replace(/\.?0+$/, '');
  return text && Number(text) > 0 ? text : null;
}

/** The unit that a text names, or the usual one where it names none; `null`: it names an unknown one. */
function unitOf(text: WireText, usual: QuotationUnit | null): QuotationUnit | null {
  return lineOf(text) === null ? usual : quotationUnit(text);
}

function unknownUnit(name: string, named: string | null): string {
  return `“${name}” ${named ? `is in “${messageText(named)}”, which is no known currency` : 'names no currency'}`;
}

/** A reported amount in minor units of the currency; `null`: it is none. */
function quotedMinor(text: WireText, unit: QuotationUnit): number | null {
  return parseMinor(text?.trim() ?? '', digitsOf(unit));
}

/** Decimals of an amount in this unit down to the minor unit of its currency. */
function digitsOf({ currency, exponent }: QuotationUnit): number {
  return minorDigits(currency)! + exponent;
}

function unreadable(issue: string): Unread {
  return { value: null, issue };
}

/** @param text the value of a holding, of which there is no amount */
function unreadableValue(name: string, text: WireText, unit: QuotationUnit): Unread {
  const what = `the value of “${name}”`;
  return isTooLarge(text?.trim() ?? '', digitsOf(unit)) ? tooLarge(what) : unreadable(`${what} is no amount`);
}

function tooLarge(what: string): Unread {
  return { value: null, issue: `${what} is larger than Tidemark can keep exactly`, isTooLarge: true };
}
