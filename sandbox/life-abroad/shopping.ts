import type { Spending } from '../life/merchants.js';
import type { AbroadKey } from './accounts.js';

/**
 * What is bought with the bank card, the credit card and, on visits, the British card; all of it is pending for days.
 */
export const SPENDING_ABROAD: readonly Spending<AbroadKey>[] = [
  {
    name: 'supermarket',
    account: 'current',
    settlesInDays: [2, 3],
    timesPerWeek: 2.6,
    cents: [890, 9600],
    merchants: [
      { payee: 'Kruidenhof', text: 'KRUIDENHOF 1093 AMSTERDAM', mcc: '5411' },
      { payee: 'Marché du Coin', text: 'MARCHE DU COIN', mcc: '5411' },
      { payee: 'Bio & Zonen', text: 'BIO EN ZONEN BV', mcc: '5411' },
    ],
  },
  {
    name: 'tram',
    account: 'current',
    settlesInDays: [2, 3],
    timesPerWeek: 3,
    cents: [230, 460],
    stepCents: 230,
    twiceChance: 0.25,
    merchants: [{ payee: 'Stadstram', text: 'STADSTRAM OV', mcc: '4111' }],
  },
  {
    name: 'bakery',
    account: 'current',
    settlesInDays: [2, 3],
    timesPerWeek: 2,
    cents: [280, 1250],
    stepCents: 5,
    merchants: [
      { payee: 'Bakkerij De Halve Maan', text: 'BAKKERIJ DE HALVE MAAN', mcc: '5462' },
      { payee: 'Café Zomer', text: 'CAFE ZOMER', mcc: '5814' },
    ],
  },
  {
    name: 'eating out',
    account: 'card',
    settlesInDays: [2, 5],
    timesPerWeek: 1.1,
    cents: [1400, 7800],
    merchants: [
      { payee: 'Trattoria Pergola', text: 'TRATTORIA PERGOLA', mcc: '5812' },
      { payee: 'Warung Melati', text: 'WARUNG MELATI', mcc: '5812' },
      { payee: 'Gasthaus Linde', text: 'GASTHAUS LINDE', mcc: '5812' },
    ],
  },
  {
    name: 'online',
    account: 'card',
    settlesInDays: [2, 5],
    timesPerWeek: 0.8,
    cents: [990, 14900],
    merchants: [
      { payee: 'Boekenbaai', text: 'BOEKENBAAI.EXAMPLE', mcc: '5942' },
      { payee: 'Fjällräv Sport', text: 'FJALLRAV SPORT AB', mcc: '5941' },
      { payee: 'Hemel & Haard', text: 'HEMEL EN HAARD', mcc: '5200' },
    ],
  },
  {
    name: 'London',
    account: 'sterling',
    settlesInDays: [1, 3],
    timesPerWeek: 1.3,
    cents: [320, 8400],
    merchants: [
      { payee: 'Penny Lane Grocers', text: 'PENNY LANE GROCERS LTD', mcc: '5411' },
      { payee: 'The Gilded Teapot', text: 'THE GILDED TEAPOT', mcc: '5814' },
      { payee: 'Capital Rail', text: 'CAPITAL RAIL 5521', mcc: '4112' },
    ],
  },
];
