import type { SnapshotHolding, SnapshotMoney } from '../bank-provider/bank-provider.js';
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
import { type QuotationUnit, quotationUnit } from '../money/currency.js';
import { hundredthOf, plainDecimal } from '../money/decimals.js';
import { readHolding, type WireHolding, type WireHoldings } from './payload.js';

interface Lot {
  position: SnapshotHolding;
  /** Its currency, with the identifier, symbol or name of its security. */
  security: string;
}

/**
 * Maps the positions of one account, each in its own currency.
 *
 * @param accountCurrency ISO 4217 code for rows without a currency; `null`: unknown
 * @returns an issue when a row cannot be read, because a missing position would count as cash
 */
export function mapHoldings(
  { holdings, currency, totalValue }: WireHoldings,
  accountCurrency: string | null,
): Read<SnapshotHolding[]> {
  if (holdings.length === 0 && /[^\s+\-0.]/.test(totalValue ?? ''))
    return unreadable('none is listed, but their total is not 0');
  const usual = unitOf(currency, quotationUnit(accountCurrency));
  const lots: Lot[] = [];
  for (const [index, row] of holdings.entries()) {
    const { value: wire, issue } = readHolding(row, index);
    if (issue !== null) return unreadable(issue);
    const lot = mapLot(wire, usual);
    if (lot.issue !== null) return lot;
    lots.push(lot.value);
  }
  return mergeLots(withDistinctIds(lots));
}

/** An upstream id that several securities or currencies share identifies none of them. */
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

/** The provider's total, in which it converts other currencies; `null`: not reported, or in no known currency. */
export function mapTotal({ totalValue, currency }: WireHoldings): Read<SnapshotMoney | null> {
  const unit = quotationUnit(currency);
  if (unit === null || lineOf(totalValue) === null) return { value: null, issue: null };
  const amountMinor = quotedMinor(totalValue, unit);
  if (amountMinor === null) return unreadableValue('all holdings', totalValue, unit);
  return { value: { amountMinor, currency: unit.currency }, issue: null };
}

function mapLot(wire: WireHolding, usual: QuotationUnit | null): Read<Lot> {
  const { name: title, tickerSymbol, currency: ofSecurity } = wire.security ?? {};
  const named = lineOf(wire.currency) ?? lineOf(ofSecurity);
  const symbol = lineOf(tickerSymbol);
  const name = lineOf(title) ?? symbol ?? 'Unnamed security';
  const unit = unitOf(named, usual);
  if (unit === null) return unreadable(unknownUnit(name, named));
  const { currency } = unit;
  const quantity = plainDecimal(wire.quantity);
  const valueMinor = quotedMinor(wire.value, unit);
  if (quantity === null) return unreadable(`the quantity of “${name}” is no decimal number`);
  if (valueMinor === null) return unreadableValue(name, wire.value, unit);
  const price = plainDecimal(wire.price);
  const security = `${currency}:${identifier(wire) ?? symbol ?? name}`;
  const position: SnapshotHolding = {
    externalId: upstreamId(wire) ?? security,
    symbol,
    name,
    quantity,
    price: price !== null && unit.exponent === -2 ? hundredthOf(price) : price,
    valueMinor,
    currency,
    // Undocumented whether the provider's cost is that of all units or of one; its examples fit neither.
    costBasisMinor: null,
    cashEquivalent: isCashEquivalent(symbol, name),
  };
  return { value: { position, security }, issue: null };
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
