import { decimalText } from '../../src/platform/money/minor-units.js';
import type { HouseholdHolding } from '../household.js';
import { stableId } from '../random.js';
import type { DiaryDay } from './day.js';
import { bankText, type Diary, type DiaryEntry, type Habit } from './diary.js';
import { onTheDay } from './income-and-bills.js';
import { MONEY_MARKET, PriceHistory, SECURITIES, valueMinor, type Security } from './market.js';

const BUY_MINOR: Readonly<Record<string, number>> = { HTMX: 40_000, HBDX: 15_000 };
const SOLD_SHARES_E4 = 50_000;

/** The brokerage account: what its owner trades, what it pays, and what it holds. */
export class Brokerage {
  readonly #prices: ReadonlyMap<string, PriceHistory>;

  constructor(
    private readonly seed: string,
    private readonly firstDay: number,
  ) {
    this.#prices = new Map(SECURITIES.map((security) => [security.symbol, new PriceHistory(seed, security, firstDay)]));
  }

  readonly habits: readonly Habit[] = [
    ...SECURITIES.flatMap((security): Habit[] => [
      (day) => this.#buy(security, day),
      (day, diary) => this.#sell(security, day, diary),
      (day, diary) => dividend(security, day, diary),
    ]),
    moneyMarketDividend,
  ];

  /** Every position at the end of a day. Uninvested cash is swept into the money-market fund, but for the odd cents. */
  holdings(day: number, diary: Diary): HouseholdHolding[] {
    const securities = SECURITIES.map((security) => this.#holding(security, day, diary)).filter(
      ({ valueMinor }) => valueMinor > 0,
    );
    const sweptMinor = Math.floor(Math.max(diary.cashMinor('brokerage', day), 0) / 100) * 100;
    return [
      ...securities,
      {
        ...this.#named(MONEY_MARKET),
        shares: decimalText(sweptMinor, 2),
        valueMinor: sweptMinor,
        costMinor: sweptMinor,
        purchasePriceMinor: 100,
        isCash: true,
      },
    ];
  }

  #holding(security: Security, day: number, diary: Diary): HouseholdHolding {
    const { symbol, openingSharesE4, openingCostMinor } = security;
    const sharesE4 = sharesOf(security, day, diary);
    const buys = diary.booked('brokerage', day).filter(({ trade }) => trade?.symbol === symbol && trade.sharesE4 > 0);
    const paidMinor = buys.reduce((sum, { amountMinor }) => sum - amountMinor, openingCostMinor);
    const boughtE4 = buys.reduce((sum, { trade }) => sum + (trade?.sharesE4 ?? 0), openingSharesE4);
    return {
      ...this.#named(security),
      shares: decimalText(sharesE4, 4),
      valueMinor: valueMinor(sharesE4, this.#closeE4(symbol, day)),
      costMinor: Math.round((paidMinor * sharesE4) / boughtE4),
      purchasePriceMinor: security.tellsPurchasePrice ? Math.round((paidMinor * 10_000) / boughtE4) : 0,
      isCash: false,
    };
  }

  #named({ symbol, name }: { symbol: string; name: string }) {
    return {
      id: stableId('HOL', this.seed, symbol),
      firstSeenAt: this.firstDay * 86_400 + 60,
      symbol,
      description: name,
    };
  }

  #buy({ symbol }: Security, day: DiaryDay): DiaryEntry[] {
    const budget = BUY_MINOR[symbol];
    if (budget === undefined || !day.due.has(9)) return [];
    const priceE4 = this.#closeE4(symbol, day.number);
    return [this.#trade(symbol, day, Math.floor((budget * 1_000_000) / priceE4), 'YOU BOUGHT')];
  }

  #sell(security: Security, day: DiaryDay, diary: Diary): DiaryEntry[] {
    const isTime = security.symbol === 'LKSP' && day.month === 11 && day.due.has(16);
    if (!isTime || sharesOf(security, day.number - 1, diary) < SOLD_SHARES_E4) return [];
    return [this.#trade(security.symbol, day, -SOLD_SHARES_E4, 'YOU SOLD')];
  }

  #trade(symbol: string, day: DiaryDay, sharesE4: number, words: string): DiaryEntry {
    const cashMinor = -valueMinor(sharesE4, this.#closeE4(symbol, day.number));
    const text = bankText(`${words} ${symbol}`, symbol, `${words} ${decimalText(Math.abs(sharesE4), 4)} SHARES`);
    return { ...onTheDay('brokerage', day, cashMinor, text), trade: { symbol, sharesE4 } };
  }

  #closeE4(symbol: string, day: number): number {
    return this.#prices.get(symbol)?.closeE4(day) ?? 0;
  }
}

function dividend(security: Security, day: DiaryDay, diary: Diary): DiaryEntry[] {
  if (!security.dividendMonths.includes(day.month) || !day.due.has(20)) return [];
  const amountMinor = valueMinor(sharesOf(security, day.number - 1, diary), security.dividendE4);
  return amountMinor > 0 ? [dividendOf(security.symbol, day, amountMinor)] : [];
}

function moneyMarketDividend(day: DiaryDay, diary: Diary): DiaryEntry[] {
  if (!day.isLastOfMonth) return [];
  const amountMinor = Math.round((diary.cashMinor('brokerage', day.number - 1) * MONEY_MARKET.ratePercent) / 1200);
  return amountMinor > 0 ? [dividendOf(MONEY_MARKET.symbol, day, amountMinor)] : [];
}

function dividendOf(symbol: string, day: DiaryDay, amountMinor: number): DiaryEntry {
  return onTheDay('brokerage', day, amountMinor, bankText(`DIVIDEND RECEIVED ${symbol}`, 'Dividend'));
}

function sharesOf({ symbol, openingSharesE4 }: Security, day: number, diary: Diary): number {
  return openingSharesE4 + diary.tradedE4(symbol, day);
}
