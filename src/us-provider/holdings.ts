import type { SnapshotHolding } from '../bank-provider/bank-provider.js';
import { isCashEquivalent } from '../bank-provider/cash-equivalent.js';
import { mergeLots, plainDecimal } from '../bank-provider/positions.js';
import { oneLine } from '../bank-provider/text.js';
import { currencyCode, minorDigits } from '../money/currency.js';
import { parseMinor, productMinor } from '../money/minor-units.js';
import { readHolding, type WireHolding } from './payload.js';

const MAX_NAME_CHARS = 200;
/** More than money has. */
const PRICE_DECIMALS = 4;
/** How far a reported cost may lie from price times units, as a part of it, and still be the same figure. */
const SAME_FIGURE = 0.01;

/**
 * Positions of one account; the lots of one security are one position.
 *
 * @param accountCurrency ISO 4217 code, for the rows that leave theirs out
 * @returns `null` when a row cannot be read: a list with a hole would turn a position into cash
 */
export function mapHoldings(rows: readonly unknown[], accountCurrency: string): SnapshotHolding[] | null {
  const lots: SnapshotHolding[] = [];
  for (const row of rows) {
    const { value: wire } = readHolding(row);
    const lot = wire && mapLot(wire, accountCurrency);
    if (!lot) return null;
    lots.push(lot);
  }
  return mergeLots(lots).map((position) => ({ ...position, price: unitPrice(position) }));
}

/** It is not told; value and number of units give it, to as many decimals as a value in cents can tell. */
function unitPrice({ valueMinor, quantity, currency }: SnapshotHolding): string | null {
  const digits = minorDigits(currency)!;
  const price = valueMinor / 10 ** digits / Number(quantity);
  const text = price.toFixed(digits + PRICE_DECIMALS).replace(/\.?0+$/, '');
  return Number.isFinite(price) && Number(text) > 0 ? text : null;
}

/** The wire's `created` is when the provider first saw it, its `value` the cost at some brokers: neither is used. */
function mapLot(wire: WireHolding, accountCurrency: string): SnapshotHolding | null {
  const currency = wire.currency?.trim() ? currencyCode(wire.currency) : accountCurrency;
  const digits = currency === null ? undefined : minorDigits(currency);
  if (currency === null || digits === undefined) return null;
  const quantity = plainDecimal(wire.shares ?? wire.quantity);
  const valueMinor = parseMinor(wire.market_value?.trim() ?? '', digits);
  if (quantity === null || valueMinor === null) return null;
  const symbol = oneLine(wire.symbol ?? '', MAX_NAME_CHARS) || null;
  const name = oneLine(wire.description ?? '', MAX_NAME_CHARS) || symbol || 'Unnamed security';
  return {
    // Lots have ids of their own that change when one is split, so the security is the identity.
    externalId: `${currency}:${symbol ?? name}`,
    symbol,
    name,
    quantity,
    price: null,
    valueMinor,
    currency,
    costBasisMinor: totalCost(wire, quantity, digits),
    cashEquivalent: isCashEquivalent(symbol, name),
  };
}

/**
 * Some brokers report the total cost, others that of one share, and a guess that is wrong shows a loss of 99 %. Only the
 * purchase price can tell which it is; where there is none the cost is not known.
 */
function totalCost({ cost_basis, purchase_price }: WireHolding, quantity: string, digits: number): number | null {
  const price = plainDecimal(purchase_price);
  const reported = parseMinor(cost_basis?.trim() ?? '', digits);
  const total = price && productMinor(price, quantity, digits);
  const perShare = price && parseMinor(price, digits);
  if (!reported || !total || !perShare) return null;
  if (isSameFigure(reported, total)) return reported;
  return isSameFigure(reported, perShare) ? total : null;
}

function isSameFigure(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.abs(b) * SAME_FIGURE;
}
