import type { SnapshotHolding } from '../bank-provider/bank-provider.js';
import { oneLine } from '../bank-provider/text.js';
import { currencyCode, minorDigits } from '../money/currency.js';
import { parseMinor, productMinor } from '../money/minor-units.js';
import { readHolding, type WireHolding } from './payload.js';

const MAX_NAME_CHARS = 200;
/** How far a reported cost may lie from price times units, as a part of it, and still be the same figure. */
const SAME_FIGURE = 0.01;
const CASH_NAMES =
  /\b(money (market|mkt)|(cash|bank|deposit) sweep|sweep (program|deposit|account)|settlement fund|cash reserves?|(insured )?bank deposit program)\b/i;
/** Tickers of US money-market funds have five letters and end so. */
const CASH_TICKER = /^[A-Z]{3}XX$/;

/**
 * Positions of one account; the lots of one security are one position.
 *
 * @param accountCurrency ISO 4217 code, for the rows that leave theirs out
 * @returns `null` when a row cannot be read: a list with a hole would turn a position into cash
 */
export function mapHoldings(rows: readonly unknown[], accountCurrency: string): SnapshotHolding[] | null {
  const positions = new Map<string, SnapshotHolding>();
  for (const row of rows) {
    const { value: wire } = readHolding(row);
    const lot = wire && mapLot(wire, accountCurrency);
    if (!lot) return null;
    const known = positions.get(lot.externalId);
    positions.set(lot.externalId, known ? together(known, lot) : lot);
  }
  return [...positions.values()];
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
    ...{ symbol, name, quantity, valueMinor, currency },
    costBasisMinor: totalCost(wire, quantity, digits),
    cashEquivalent: CASH_NAMES.test(name) || CASH_TICKER.test(symbol ?? ''),
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

function together(a: SnapshotHolding, b: SnapshotHolding): SnapshotHolding {
  const costs = [a.costBasisMinor, b.costBasisMinor];
  return {
    ...a,
    quantity: sumDecimals(a.quantity, b.quantity),
    valueMinor: a.valueMinor + b.valueMinor,
    costBasisMinor: costs.reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost)),
  };
}

function plainDecimal(text: string | null | undefined): string | null {
  const plain = text?.trim() ?? '';
  return /^-?\d{1,20}(\.\d{1,20})?$/.test(plain) ? plain : null;
}

/** Exact, whatever the number of decimals. */
function sumDecimals(a: string, b: string): string {
  const decimals = Math.max(...[a, b].map((text) => text.split('.')[1]?.length ?? 0));
  const scaled = (text: string) => {
    const [whole = '', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(decimals, '0'));
  };
  const sum = scaled(a) + scaled(b);
  const figures = String(sum < 0n ? -sum : sum).padStart(decimals + 1, '0');
  const text = decimals === 0 ? figures : `${figures.slice(0, -decimals)}.${figures.slice(-decimals)}`;
  return sum < 0n ? `-${text}` : text;
}
