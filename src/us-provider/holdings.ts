import type { SnapshotHolding } from '../bank-provider/bank-provider.js';
import {
  isCashEquivalent,
  mergeLots,
  quotedMinor,
  type Read,
  unitOf,
  unknownUnit,
  unreadable,
  unreadableValue,
} from '../bank-provider/positions.js';
import { lineOf } from '../bank-provider/read-values.js';
import { minorDigits, type QuotationUnit, quotationUnit } from '../money/currency.js';
import { plainDecimal } from '../money/decimals.js';
import { productMinor } from '../money/minor-units.js';
import { readHolding, type WireHolding } from './payload.js';

/** In addition to the currency's. */
const PRICE_DECIMALS = 4;
/** Relative difference up to which a reported cost equals price times units. */
const SAME_FIGURE = 0.01;

/**
 * Maps the positions of one account; the lots of one security are one position.
 *
 * @param accountCurrency ISO 4217 code for rows without a currency
 * @returns an issue when a row cannot be read, because a missing position would count as cash
 */
export function mapHoldings(rows: readonly unknown[], accountCurrency: string): Read<SnapshotHolding[]> {
  const usual = quotationUnit(accountCurrency);
  const lots: SnapshotHolding[] = [];
  for (const [index, row] of rows.entries()) {
    const { value: wire, issue } = readHolding(row, index);
    if (issue !== null) return unreadable(issue);
    const lot = mapLot(wire, usual);
    if (lot.issue !== null) return lot;
    lots.push(lot.value);
  }
  const positions = mergeLots(lots);
  if (positions.issue !== null) return positions;
  return { value: positions.value.map((position) => ({ ...position, price: unitPrice(position) })), issue: null };
}

/** Whether any row is a holding, although the others or its value cannot be read. */
export function hasHolding(rows: readonly unknown[]): boolean {
  return rows.some((row, index) => quantityOf(readHolding(row, index).value) !== null);
}

function quantityOf(wire: WireHolding | null): string | null {
  return plainDecimal(wire?.shares ?? wire?.quantity);
}

/** Computes the price of one unit, which is not reported; `null`: it cannot be computed. */
function unitPrice({ valueMinor, quantity, currency }: SnapshotHolding): string | null {
  const digits = minorDigits(currency)!;
  const price = valueMinor / 10 ** digits / Number(quantity);
  // From 10^21 on it is no plain number.
  const text = plainDecimal(price.toFixed(digits + PRICE_DECIMALS))?.replace(/\.?0+$/, '');
  return text && Number(text) > 0 ? text : null;
}

/** `created` is when the provider first saw the lot, and `value` is the cost at some brokers, so neither is used. */
function mapLot(wire: WireHolding, usual: QuotationUnit | null): Read<SnapshotHolding> {
  const symbol = lineOf(wire.symbol);
  const name = lineOf(wire.description) ?? symbol ?? 'Unnamed security';
  const unit = unitOf(wire.currency, usual);
  if (unit === null) return unreadable(unknownUnit(name, lineOf(wire.currency)));
  const { currency } = unit;
  const quantity = quantityOf(wire);
  const valueMinor = quotedMinor(wire.market_value, unit);
  if (quantity === null) return unreadable(`the quantity of “${name}” is no decimal number`);
  if (valueMinor === null) return unreadableValue(name, wire.market_value, unit);
  const value: SnapshotHolding = {
    // Lots have ids of their own that change when one is split, so the security is the identity.
    externalId: `${currency}:${symbol ?? name}`,
    symbol,
    name,
    quantity,
    price: null,
    valueMinor,
    currency,
    costBasisMinor: totalCost(wire, quantity, unit),
    cashEquivalent: isCashEquivalent(symbol, name),
  };
  return { value, issue: null };
}

/**
 * Some brokers report the total cost, others that of one share. The purchase price says which; without it the cost is
 * unknown, because a wrong guess would show a loss of 99 %.
 */
function totalCost({ cost_basis, purchase_price }: WireHolding, quantity: string, unit: QuotationUnit): number | null {
  const price = plainDecimal(purchase_price);
  const reported = quotedMinor(cost_basis, unit);
  const total = price && productMinor(price, quantity, minorDigits(unit.currency)! + unit.exponent);
  const perShare = price && quotedMinor(price, unit);
  if (!reported || !total || !perShare) return null;
  if (isSameFigure(reported, total)) return reported;
  return isSameFigure(reported, perShare) ? total : null;
}

function isSameFigure(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.abs(b) * SAME_FIGURE;
}
