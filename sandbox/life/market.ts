import { randomStream } from '../random.js';
import { isBankingDay } from './day.js';

export interface Security {
  symbol: string;
  name: string;
  /** On the first day, in ten-thousandths of a dollar. */
  firstPriceE4: number;
  /** The usual daily move and the daily trend, in hundredths of a percent. */
  swing: number;
  trend: number;
  /** Paid per share and payment, in ten-thousandths of a dollar. */
  dividendE4: number;
  dividendMonths: readonly number[];
  /** Held on the first day, in ten-thousandths of a share, and what it had cost in cents. */
  openingSharesE4: number;
  openingCostMinor: number;
  /** Whether the brokerage reports the cost of a share. */
  tellsPurchasePrice: boolean;
}

const QUARTERLY = [3, 6, 9, 12];
const MONTHLY = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

export const SECURITIES: readonly Security[] = [
  {
    symbol: 'HTMX',
    name: 'HARBORLINE TOTAL MARKET ETF',
    firstPriceE4: 1_912_400,
    swing: 95,
    trend: 4,
    dividendE4: 8_700,
    dividendMonths: QUARTERLY,
    openingSharesE4: 824_150,
    openingCostMinor: 1_288_312,
    tellsPurchasePrice: false,
  },
  {
    symbol: 'HBDX',
    name: 'HARBORLINE CORE BOND FUND',
    firstPriceE4: 101_300,
    swing: 30,
    trend: 0,
    dividendE4: 310,
    dividendMonths: MONTHLY,
    openingSharesE4: 4_101_270,
    openingCostMinor: 432_055,
    tellsPurchasePrice: false,
  },
  {
    symbol: 'LKSP',
    name: 'LARKSPUR INC COM',
    firstPriceE4: 468_000,
    swing: 190,
    trend: 5,
    dividendE4: 2_200,
    dividendMonths: QUARTERLY,
    openingSharesE4: 600_000,
    openingCostMinor: 195_000,
    tellsPurchasePrice: true,
  },
];

export const MONEY_MARKET = { symbol: 'HLMXX', name: 'HARBORLINE GOVT MONEY MARKET', ratePercent: 4 };

/** Closing prices of one security, day by day, in ten-thousandths of a dollar. */
export class PriceHistory {
  readonly #closes: number[];

  constructor(
    private readonly seed: string,
    private readonly security: Security,
    private readonly firstDay: number,
  ) {
    this.#closes = [security.firstPriceE4];
  }

  closeE4(day: number): number {
    for (let next = this.firstDay + this.#closes.length; next <= day; next++) this.#closes.push(this.#move(next));
    return this.#closes[Math.max(day - this.firstDay, 0)] ?? this.security.firstPriceE4;
  }

  #move(day: number): number {
    const { symbol, swing, trend, firstPriceE4 } = this.security;
    const yesterday = this.#closes.at(-1) ?? firstPriceE4;
    if (!isBankingDay(day)) return yesterday;
    const random = randomStream(`${this.seed} ${symbol} ${day}`);
    // The sum of three even draws looks enough like a bell, and needs no logarithm that machines round differently.
    const bell = random() + random() + random() - 1.5;
    const move = trend + bell * 2 * swing;
    return Math.max(Math.round((yesterday * (10_000 + move)) / 10_000), 1);
  }
}

/** Value in cents of shares (ten-thousandths) at a price (ten-thousandths of a dollar). */
export function valueMinor(sharesE4: number, priceE4: number): number {
  return Math.round((sharesE4 * priceE4) / 1_000_000);
}
