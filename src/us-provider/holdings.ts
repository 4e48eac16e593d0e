import type { SnapshotHolding } from '../bank-provider/bank-provider.js';
import { oneLine } from '../bank-provider/text.js';
import { currencyCode, minorDigits } from '../money/currency.js';
import { parseMinor, productMinor } from '../money/minor-units.js';
import type { WireHolding } from './payload.js';

const MAX_NAME_CHARS = 200;
/** How far a total may lie from price times units and still be the same figure. */
const SAME_FIGURE = 0.01;
const MONEY_MARKET = /\b(money market|cash sweep|bank sweep|settlement fund|cash reserves?)\b/i;
/** Tickers of US money-market funds have five letters and end so. */
const MONEY_MARKET_TICKER = /^[A-Z]{3}XX$/;

/** Positions of one account; the lots of one security are one position. */
export function mapHoldings(wire: readonly WireHolding[], accountCurrency: string): SnapshotHolding[] {
  const positions = new Map<string, SnapshotHolding>();
  for (const lot of wire) {
    const holding = mapLot(lot, accountCurrency);
    if (!holding) continue;
    const known = positions.get(holding.externalId);
    positions.set(holding.externalId, known ? together(known, holding) : holding);
  }
  return [...positions.values()];
}

function mapLot(wire: WireHolding, accountCurrency: string): SnapshotHolding | null {
  const currency = currencyCode(wire.currency) ?? accountCurrency;
  const digits = minorDigits(currency);
  const quantity = plainDecimal(wire.shares ?? wire.quantity);
  const valueMinor = digits === undefined || !wire.market_value ? null : parseMinor(wire.market_value, digits);
  // A figure called `value` is what it cost at some brokers: without a market value there is no position to show.
  if (digits === undefined || quantity === null || valueMinor === null) return null;
  const symbol = oneLine(wire.symbol ?? '', MAX_NAME_CHARS) || null;
  const name = oneLine(wire.description ?? '', MAX_NAME_CHARS) || symbol || 'Unnamed security';
  const cashEquivalent = MONEY_MARKET.test(name) || MONEY_MARKET_TICKER.test(symbol ?? '');
  const costBasisMinor = costBasis(wire, quantity, digits);
  return {
    externalId: `${currency}:${symbol ?? name}`,
    symbol,
    name,
    quantity,
    valueMinor,
    currency,
    costBasisMinor,
    cashEquivalent,
  };
}

/** Some brokers report the total, others the cost of one share; only the purchase price can tell which. */
function costBasis({ cost_basis, purchase_price }: WireHolding, quantity: string, digits: number): number | null {
  const price = plainDecimal(purchase_price);
  const reported = cost_basis ? parseMinor(cost_basis, digits) : null;
  const total = price === null ? null : productMinor(price, quantity, digits);
  const perShare = price === null ? null : parseMinor(price, digits);
  if (!reported || !total || !perShare) return null;
  if (isSameFigure(reported, total)) return reported;
  return isSameFigure(reported, perShare) ? total : null;
}

function isSameFigure(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.abs(b) * SAME_FIGURE;
}

function together(a: SnapshotHolding, b: SnapshotHolding): SnapshotHolding {
  const bothCosts = a.costBasisMinor !== null && b.costBasisMinor !== null;
  return {
    ...a,
    quantity: sumDecimals(a.quantity, b.quantity),
    valueMinor: a.valueMinor + b.valueMinor,
    costBasisMinor: bothCosts ? a.costBasisMinor! + b.costBasisMinor! : null,
  };
}

function plainDecimal(text: string | null | undefined): string | null {
  return text && /^-?\d{1,20}(\.\d{1,20})?$/.test(text) ? text : null;
}

/** Exact, whatever the number of decimals. */
function sumDecimals(a: string, b: string): string {
  const digits = Math.max(...[a, b].map((text) => text.split('.')[1]?.length ?? 0));
  const scaled = (text: string) => {
    const [whole = '', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(digits, '0'));
  };
  const sum = scaled(a) + scaled(b);
  const figures = String(sum < 0n ? -sum : sum).padStart(digits + 1, '0');
  const text = digits === 0 ? figures : `${figures.slice(0, -digits)}.${figures.slice(-digits)}`;
  return sum < 0n ? `-${text}` : text;
}
