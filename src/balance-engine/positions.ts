import type { Position } from './ledger.js';

/** What is held of each security, lots added up. */
export type Portfolio = ReadonlyMap<string, Position>;

export function toPortfolio(positions: readonly Position[]): Portfolio {
  const portfolio = new Map<string, Position>();
  for (const { key, quantity, valueMinor } of positions) {
    const lot = portfolio.get(key);
    portfolio.set(key, {
      key,
      quantity: quantity + (lot?.quantity ?? 0),
      valueMinor: valueMinor + (lot?.valueMinor ?? 0),
    });
  }
  return portfolio;
}

export function totalValue(portfolio: Portfolio): number {
  let total = 0;
  for (const { valueMinor } of portfolio.values()) total += valueMinor;
  return total;
}

/**
 * What was traded between two snapshots, position by position: the change in quantity at the later price, positive =
 * bought. A position that is gone counts at the last price known. What the market did is the rest of the change.
 */
export function tradesBetween(before: Portfolio, now: Portfolio): number[] {
  const traded: number[] = [];
  for (const { key, quantity, valueMinor } of now.values()) {
    const earlier = before.get(key);
    if (!earlier) traded.push(valueMinor);
    else if (quantity === 0) traded.push(-earlier.valueMinor);
    else traded.push(valueMinor - Math.round((valueMinor * earlier.quantity) / quantity));
  }
  for (const { key, valueMinor } of before.values()) if (!now.has(key)) traded.push(-valueMinor);
  return traded.filter((amount) => amount !== 0);
}
