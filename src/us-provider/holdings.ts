import type { SnapshotHolding } from '../bank-provider/bank-provider.js';
import { isCashEquivalent, mergeLots, plainDecimal } from '../bank-provider/positions.js';
import { lineOf, minorOf, rowCurrency } from '../bank-provider/read-values.js';
import { minorDigits } from '../money/currency.js';
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
 * @returns `null` when a row cannot be read, because a missing position would count as cash
 */
export function mapHoldings(rows: readonly unknown[], accountCurrency: string): SnapshotHolding[] | null {
  const lots: SnapshotHolding[] = [];
  for (const row of rows) {
    const { value: wire } = readHolding(row);
    const lot = wire && mapLot(wire, accountCurrency);
    if (!lot) return null;
    lots.push(lot);
  }
  return mergeLots(lots)?.map((position) => ({ ...position, price: unitPrice(position) })) ?? null;
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
function mapLot(wire: WireHolding, accountCurrency: string): SnapshotHolding | null {
  const currency = rowCurrency(wire.currency, accountCurrency);
  if (currency === null) return null;
  const quantity = plainDecimal(wire.shares ?? wire.quantity);
  const valueMinor = minorOf(wire.market_value, currency);
  if (quantity === null || valueMinor === null) return null;
  const symbol = lineOf(wire.symbol);
  const name = lineOf(wire.description) ?? symbol ?? 'Unnamed security';
  return {
    // Lots have ids of their own that change when one is split, so the security is the identity.
    externalId: `${currency}:${symbol ?? name}`,
    symbol,
    name,
    quantity,
    price: null,
    valueMinor,
    currency,
    costBasisMinor: totalCost(wire, quantity, currency),
    cashEquivalent: isCashEquivalent(symbol, name),
  };
}

/**
 * Some brokers report the total cost, others that of one share. The purchase price says which; without it the cost is
 * unknown, because a wrong guess would show a loss of 99 %.
 */
function totalCost({ cost_basis, purchase_price }: WireHolding, quantity: string, currency: string): number | null {
  const price = plainDecimal(purchase_price);
  const reported = minorOf(cost_basis, currency);
  const total = price && productMinor(price, quantity, minorDigits(currency)!);
  const perShare = price && minorOf(price, currency);
  if (!reported || !total || !perShare) return null;
  if (isSameFigure(reported, total)) return reported;
  return isSameFigure(reported, perShare) ? total : null;
}

function isSameFigure(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.abs(b) * SAME_FIGURE;
}
