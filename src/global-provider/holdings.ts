import type { SnapshotHolding, SnapshotMoney } from '../bank-provider/bank-provider.js';
import { isCashEquivalent, mergeLots, plainDecimal } from '../bank-provider/positions.js';
import { lineOf, minorOf, rowCurrency } from '../bank-provider/read-values.js';
import { currencyCode } from '../money/currency.js';
import { readHolding, type WireHolding, type WireHoldings } from './payload.js';

/**
 * Maps the positions of one account, each in its own currency.
 *
 * @param fallback ISO 4217 code for rows without a currency; `null`: unknown
 * @returns `null` when a row cannot be read, because a missing position would count as cash
 */
export function mapHoldings({ holdings, currency }: WireHoldings, fallback: string | null): SnapshotHolding[] | null {
  const positions: SnapshotHolding[] = [];
  for (const row of holdings) {
    const { value: wire } = readHolding(row);
    const position = wire && mapHolding(wire, rowCurrency(currency, fallback));
    if (!position) return null;
    positions.push(position);
  }
  return mergeLots(positions);
}

/** The provider's total, in which it converts other currencies; `null`: not reported. */
export function mapTotal({ totalValue, currency: code }: WireHoldings): SnapshotMoney | null {
  const currency = currencyCode(code);
  const amountMinor = currency === null ? null : minorOf(totalValue, currency);
  return currency === null || amountMinor === null ? null : { amountMinor, currency };
}

function mapHolding(wire: WireHolding, fallback: string | null): SnapshotHolding | null {
  const { name: title, tickerSymbol, currency: ofSecurity } = wire.security ?? {};
  const currency = rowCurrency(wire.currency?.trim() ? wire.currency : ofSecurity, fallback);
  const quantity = plainDecimal(wire.quantity);
  const valueMinor = currency === null ? null : minorOf(wire.value, currency);
  if (currency === null || quantity === null || valueMinor === null) return null;
  const symbol = lineOf(tickerSymbol);
  const name = lineOf(title) ?? symbol ?? 'Unnamed security';
  return {
    externalId: upstreamId(wire) ?? `${currency}:${identifier(wire) ?? symbol ?? name}`,
    symbol,
    name,
    quantity,
    price: plainDecimal(wire.price),
    valueMinor,
    currency,
    // Undocumented whether the provider's cost is that of all units or of one; its examples fit neither.
    costBasisMinor: null,
    cashEquivalent: isCashEquivalent(symbol, name),
  };
}

/** The id that the upstream provider gave the holding, which is its only one. */
function upstreamId({ raw }: WireHolding): string | null {
  for (const [upstream, record] of Object.entries(raw ?? {})) if (record) return `${upstream}:${record.id}`;
  return null;
}

function identifier({ security }: WireHolding): string | null {
  const { isin, cusp, figi } = security ?? {};
  return [isin, cusp, figi].map((text) => lineOf(text)).find((text) => text !== null) ?? null;
}
