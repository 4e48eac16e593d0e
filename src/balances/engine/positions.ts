import { MAX_AMOUNT_MINOR } from '../../platform/money/minor-units.js';
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

/** In a split the quantity changes by so many times as much as the value, as powers of the ratio. */
const SPLIT_UNITS = 3;

/** What a trade may be worth, positive = bought. The first counts unless what was paid shows another; 0 is no trade. */
export type TradeAmounts = readonly [number, ...number[]];

/**
 * What was traded between two snapshots, position by position: the change in quantity at the later price. What is gone counts
 * at the last one known. What the market did is the rest of the change.
 */
export function tradesBetween(before: Portfolio, now: Portfolio): TradeAmounts[] {
  const traded: TradeAmounts[] = [];
  for (const position of now.values()) {
    const earlier = before.get(position.key);
    traded.push(earlier ? tradeAmounts(earlier, position) : [position.valueMinor]);
  }
  for (const { key, valueMinor } of before.values()) if (!now.has(key)) traded.push([-valueMinor]);
  return traded.filter((amounts) => amounts.some((amountMinor) => amountMinor !== 0));
}

/** Whether the market may have moved a value so. */
export function isNear(figure: number, before: number): boolean {
  return Math.abs(figure - before) <= Math.abs(before) * MOVED;
}

/**
 * At the later price; where that is not plausible, at the earlier one as well. A purchase is worth at most the later value,
 * and a sale at most the earlier one, whatever the quantities: that comes first.
 */
function tradeAmounts(earlier: Position, now: Position): TradeAmounts {
  if (now.quantity === earlier.quantity) return [0];
  const laterMinor = boughtMinor(earlier, now);
  const earlierMinor = -boughtMinor(now, earlier);
  const isPriced =
    Math.abs(now.valueMinor) >= MIN_PRICED_MINOR && isNear(now.valueMinor - laterMinor, earlier.valueMinor);
  const isLater = isPriced || Math.abs(now.quantity) > Math.abs(earlier.quantity);
  const [first, other] = isLater ? [laterMinor, earlierMinor] : [earlierMinor, laterMinor];
  const others = !isPriced && Math.abs(other) <= MAX_AMOUNT_MINOR ? [other] : [];
  return isLikeSplit(earlier, now) ? [0, first, ...others] : [first, ...others];
}

/** What the change in quantity since another snapshot is worth at the price of this one. */
function boughtMinor(other: Position, { quantity, valueMinor }: Position): number {
  return valueMinor - Math.round((valueMinor * other.quantity) / quantity);
}

/** A trade changes the value, and a split the price. */
function isLikeSplit(earlier: Position, { quantity, valueMinor }: Position): boolean {
  const units = Math.abs(Math.log(quantity / earlier.quantity));
  const value = Math.abs(Math.log(valueMinor / earlier.valueMinor));
  return units >= Math.log(SPLIT_RATIO) && value < units / SPLIT_UNITS;
}
