import { decimalText } from '../../src/platform/money/minor-units.js';
import type { HouseholdHolding } from '../household.js';
import { PriceHistory, valueMinor, type Security } from '../life/market.js';
import { bankText, type Diary, type Habit } from '../life/diary.js';
import { onTheDay } from '../life/income-and-bills.js';
import { stableId } from '../random.js';
import type { AbroadKey } from './accounts.js';

const ISINS: Readonly<Record<string, string>> = { VLAK: 'IE00B0000001', LKTC: 'US0000000009' };

/** Bought every month with what comes in. */
const FUND = security({ symbol: 'VLAK', name: 'Vlakland World ETF', firstPriceE4: 842_000, swing: 80, trend: 4 });
/** Never traded; the broker knows its worth in dollars, and not what it had cost. */
const STOCK = security({ symbol: 'LKTC', name: 'Lakeside Tech Corp', firstPriceE4: 2_101_500, swing: 170, trend: 5 });
/** Has neither ticker nor number. */
const PENSION = security({ symbol: '', name: 'Pensioenfonds Evenwicht B', firstPriceE4: 100_000, swing: 15, trend: 2 });
const DOLLAR = security({ symbol: 'USD', name: 'Euros per dollar', firstPriceE4: 9_210, swing: 30, trend: 0 });

const OPENING_FUND_E4 = 425_000;
const OPENING_FUND_COST_MINOR = 352_710;
const STOCK_E4 = 30_000;
const PENSION_E4 = 1_000_001;
const MONTHLY_BUY_MINOR = 19_000;

/**
 * Three ways in which a broker reports a position: all of it, in another currency without a cost, by its name alone.
 */
export class ForeignPortfolio {
  readonly #prices: (security: Security) => PriceHistory;

  constructor(
    private readonly seed: string,
    private readonly firstDay: number,
  ) {
    const prices = new Map(
      [FUND, STOCK, PENSION, DOLLAR].map((item) => [item.name, new PriceHistory(seed, item, firstDay)]),
    );
    this.#prices = ({ name }) => prices.get(name)!;
  }

  readonly buyFund: Habit<AbroadKey> = (day) => {
    if (!day.due.has(8)) return [];
    const sharesE4 = Math.floor((MONTHLY_BUY_MINOR * 1_000_000) / this.#closeE4(FUND, day.number));
    const paidMinor = valueMinor(sharesE4, this.#closeE4(FUND, day.number));
    const entry = onTheDay<AbroadKey>('portfolio', day, -paidMinor, bankText('BUY VLAK', ''));
    return [{ ...entry, trade: { symbol: FUND.symbol, sharesE4 } }];
  };

  holdings(day: number, diary: Diary<AbroadKey>): HouseholdHolding[] {
    const buys = diary.booked('portfolio', day).filter(({ trade }) => trade !== undefined);
    const costMinor = buys.reduce((sum, { amountMinor }) => sum - amountMinor, OPENING_FUND_COST_MINOR);
    const dollars = valueMinor(STOCK_E4, this.#closeE4(STOCK, day));
    const inEuros = Math.round((dollars * this.#closeE4(DOLLAR, day)) / 10_000);
    return [
      { ...this.#holding(FUND, OPENING_FUND_E4 + diary.tradedE4(FUND.symbol, day), day), costMinor },
      {
        ...this.#holding(STOCK, STOCK_E4, day),
        valueMinor: inEuros,
        traded: { currency: 'USD', valueMinor: dollars, costMinor: 0 },
      },
      this.#holding(PENSION, PENSION_E4, day),
    ];
  }

  #holding(item: Security, sharesE4: number, day: number): HouseholdHolding {
    const isin = ISINS[item.symbol];
    return {
      id: stableId('HOL', this.seed, item.name),
      firstSeenAt: this.firstDay * 86_400,
      symbol: item.symbol,
      description: item.name,
      ...(isin === undefined ? {} : { isin }),
      shares: decimalText(sharesE4, 4),
      valueMinor: valueMinor(sharesE4, this.#closeE4(item, day)),
      costMinor: 0,
      purchasePriceMinor: 0,
      isCash: false,
    };
  }

  #closeE4(item: Security, day: number): number {
    return this.#prices(item).closeE4(day);
  }
}

function security(told: Pick<Security, 'symbol' | 'name' | 'firstPriceE4' | 'swing' | 'trend'>): Security {
  return {
    ...told,
    dividendE4: 0,
    dividendMonths: [],
    openingSharesE4: 0,
    openingCostMinor: 0,
    tellsPurchasePrice: false,
  };
}
