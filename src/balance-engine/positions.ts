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

/** A figure within this share of an earlier one is the same value, moved by the market. */
const MOVED = 0.5;

/** A value of fewer minor units gives no price: rounding moves it more than a market does in a day. */
const MIN_PRICED_MINOR = 100;

/** A quantity that changes by less is no split: three shares for two is the smallest that is usual. */
const SPLIT_RATIO = 1.5;

export interface Trade {
  /** Positive = bought. */
  amountMinor: number;
  /** Whether only the unit may have changed, as in a stock split: the value hardly did. */
  maySplit: boolean;
}

/**
 * What was traded between two snapshots, position by position: the change in quantity at the later price. What is gone, or
 * has no plausible price any more, counts at the last one known. What the market did is the rest of the change.
 */
export function tradesBetween(before: Portfolio, now: Portfolio): Trade[] {
  const traded: Trade[] = [];
  for (const position of now.values()) {
    const earlier = before.get(position.key);
    if (!earlier) traded.push({ amountMinor: position.valueMinor, maySplit: false });
    else traded.push({ amountMinor: tradedMinor(earlier, position), maySplit: isLikeSplit(earlier, position) });
  }
  for (const { key, valueMinor } of before.values()) {
    if (!now.has(key)) traded.push({ amountMinor: -valueMinor, maySplit: false });
  }
  return traded.filter(({ amountMinor }) => amountMinor !== 0);
}

/** Whether the market may have moved a value so. */
export function isNear(figure: number, before: number): boolean {
  return Math.abs(figure - before) <= Math.abs(before) * MOVED;
}

/** A purchase is worth at most the later value, and a sale about the earlier one, whatever the quantities. */
function tradedMinor(earlier: Position, { quantity, valueMinor }: Position): number {
  if (quantity === earlier.quantity) return 0;
  const heldMinor = (valueMinor * earlier.quantity) / quantity;
  const isPriced = Math.abs(valueMinor) >= MIN_PRICED_MINOR && isNear(heldMinor, earlier.valueMinor);
  const isLater = isPriced || Math.abs(quantity) > Math.abs(earlier.quantity);
  if (isLater) return valueMinor - Math.round(heldMinor);
  return Math.round((earlier.valueMinor * quantity) / earlier.quantity) - earlier.valueMinor;
}

/** A trade changes the value, and a split the price. */
function isLikeSplit(earlier: Position, { quantity, valueMinor }: Position): boolean {
  const units = Math.abs(Math.log(quantity / earlier.quantity));
  const value = Math.abs(Math.log(valueMinor / earlier.valueMinor));
  return units >= Math.log(SPLIT_RATIO) && value < units / 3;
}
