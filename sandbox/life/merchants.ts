import type { DiaryDay } from './day.js';
import type { AccountKey } from './diary.js';

interface Merchant {
  payee: string;
  /** As it stands on a statement, without the town. */
  text: string;
  mcc: string | null;
}

/** One kind of spending, and how often and where it happens. */
export interface Spending<Key extends string = AccountKey> {
  name: string;
  account: Key;
  /** Fewest and most days until the bank books a purchase: days for a card's merchant, one for a bank's own card. */
  settlesInDays: readonly [number, number];
  timesPerWeek: number;
  /** Cheapest and dearest purchase, in cents; most are nearer the cheap end. */
  cents: readonly [number, number];
  /** Prices are multiples of it. */
  stepCents?: number;
  /** How often the same thing is bought twice on a day: two equal rows that are both real. */
  twiceChance?: number;
  season?: (day: DiaryDay) => boolean;
  merchants: readonly Merchant[];
}

const inSummerHoliday = ({ month, dayOfMonth }: DiaryDay) => month === 7 && dayOfMonth >= 8 && dayOfMonth <= 21;
const beforeChristmas = ({ month, dayOfMonth }: DiaryDay) => month === 12 && dayOfMonth <= 23;

export const SPENDING: readonly Spending[] = [
  {
    name: 'groceries',
    account: 'card',
    settlesInDays: [1, 3],
    timesPerWeek: 2.3,
    cents: [1850, 16400],
    merchants: [
      { payee: 'Harvest Lane Market', text: 'HARVEST LANE MKT #0442', mcc: '5411' },
      { payee: 'Green Gate Foods', text: 'GREEN GATE FOODS 118', mcc: '5411' },
      { payee: 'Corner Cellar', text: 'SQ *CORNER CELLAR', mcc: '5499' },
    ],
  },
  {
    name: 'coffee',
    account: 'card',
    settlesInDays: [1, 3],
    timesPerWeek: 3,
    cents: [425, 725],
    stepCents: 50,
    twiceChance: 0.12,
    merchants: [
      { payee: 'Kettle & Crumb', text: 'TST* KETTLE AND CRUMB', mcc: '5814' },
      { payee: 'Blue Door Coffee', text: 'SQ *BLUE DOOR COFFEE', mcc: '5814' },
    ],
  },
  {
    name: 'restaurants',
    account: 'card',
    settlesInDays: [1, 3],
    timesPerWeek: 1.4,
    cents: [1600, 9800],
    merchants: [
      { payee: 'Basil & Brine', text: 'TST* BASIL AND BRINE', mcc: '5812' },
      { payee: 'Noodle Harbor', text: 'NOODLE HARBOR 07', mcc: '5812' },
      { payee: 'Taqueria Sol', text: 'SQ *TAQUERIA SOL', mcc: '5812' },
      { payee: 'The Copper Ladle', text: 'COPPER LADLE LLC', mcc: '5812' },
    ],
  },
  {
    name: 'fuel',
    account: 'card',
    settlesInDays: [1, 3],
    timesPerWeek: 0.8,
    cents: [2900, 6200],
    merchants: [
      { payee: 'Ridgeway Fuel', text: 'RIDGEWAY FUEL 3381 OUTSIDE', mcc: '5542' },
      { payee: 'Pronghorn Gas', text: 'PRONGHORN GAS #21', mcc: '5541' },
    ],
  },
  {
    name: 'pharmacy',
    account: 'card',
    settlesInDays: [1, 3],
    timesPerWeek: 0.5,
    cents: [650, 5400],
    merchants: [{ payee: 'Wellspring Pharmacy', text: 'WELLSPRING RX 5520', mcc: '5912' }],
  },
  {
    name: 'shopping',
    account: 'card',
    settlesInDays: [1, 3],
    timesPerWeek: 0.9,
    cents: [1200, 21000],
    merchants: [
      { payee: 'Northlight Outfitters', text: 'NORTHLIGHT OUTFITTERS', mcc: '5651' },
      { payee: 'Paper Lantern Books', text: 'PAPER LANTERN BOOKS', mcc: '5942' },
      { payee: 'Hearth & Hinge', text: 'HEARTH+HINGE HOME 88', mcc: '5200' },
      { payee: 'Oddment Online', text: 'ODDMENT.EXAMPLE ORDER', mcc: null },
    ],
  },
  {
    name: 'transit',
    account: 'checking',
    settlesInDays: [1, 1],
    timesPerWeek: 1.6,
    cents: [275, 1100],
    stepCents: 275,
    merchants: [{ payee: 'City Transit', text: 'CITY TRANSIT FARE', mcc: '4111' }],
  },
  {
    name: 'cash',
    account: 'checking',
    settlesInDays: [1, 1],
    timesPerWeek: 0.3,
    cents: [4000, 12000],
    stepCents: 2000,
    merchants: [{ payee: 'ATM withdrawal', text: 'ATM WITHDRAWAL 001287', mcc: '6011' }],
  },
  {
    name: 'holiday',
    account: 'card',
    settlesInDays: [1, 3],
    timesPerWeek: 4,
    cents: [3500, 46000],
    season: inSummerHoliday,
    merchants: [
      { payee: 'Skylark Air', text: 'SKYLARK AIR 0172249', mcc: '4511' },
      { payee: 'Dune House Hotel', text: 'DUNE HOUSE HOTEL', mcc: '7011' },
      { payee: 'Pelican Car Hire', text: 'PELICAN CAR HIRE', mcc: '7512' },
    ],
  },
  {
    name: 'gifts',
    account: 'card',
    settlesInDays: [1, 3],
    timesPerWeek: 3,
    cents: [1500, 14000],
    season: beforeChristmas,
    merchants: [
      { payee: 'Tin Soldier Toys', text: 'TIN SOLDIER TOYS 14', mcc: '5945' },
      { payee: 'Paper Lantern Books', text: 'PAPER LANTERN BOOKS', mcc: '5942' },
    ],
  },
];
