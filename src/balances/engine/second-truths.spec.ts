import { compare, type SecondTruth } from '../../../test/support/simulator/second-truth.js';
import { tenthInQuickRun } from '../../../test/support/tier.js';

const NOT_LISTED = 'holds in the balance, not listed';
const MIXED = 'mixed faults';

const TRUTHS: (SecondTruth & { simulated: string; second: string; isScoredTwice: boolean })[] = [
  {
    scenario: NOT_LISTED,
    seed: 3,
    account: 'checking',
    until: 82,
    simulated: 'two purchases of one amount are pending until they are listed',
    second: 'a fee has the amount of a purchase, and two purchases are posted hours after they are listed',
    isScoredTwice: false,
    retell: (books) => {
      books.removeHold(77, -8880);
      books.removeHold(81, -8880);
      books.bookUnlisted(77.02, -8880);
      books.bookListed(79, -8880, 82.02);
      books.bookListed(82, -8880, 82.9);
    },
  },
  {
    scenario: NOT_LISTED,
    seed: 74,
    account: 'checking',
    until: 5,
    simulated: '73.88 is pending at the first two balances, and 6.61 later on',
    second: 'two balances are of the end of day 0, 67.27 is credited unlisted on day 3, and nothing is pending',
    isScoredTwice: true,
    retell: (books) => {
      books.openWith(-7388);
      books.removeHold(-1, -7388);
      books.removeHold(2, -661);
      books.report(1.76, 0.99);
      books.report(2.26, 0.99);
      books.bookUnlisted(3.02, 6727);
    },
  },
  {
    scenario: MIXED,
    seed: 168,
    account: 'wallet',
    until: 130,
    simulated: 'two trades are made on the day before they are reported, at prices that differ by 0.50 from those then',
    second:
      'two trades are made the morning after, at the price of that day, and an unlisted 0.50 is pending for ten days',
    isScoredTwice: true,
    retell: (books) => {
      books.bank = { ...books.bank, holds: { ...books.bank.holds, listed: false, inBalance: true } };
      books.trade(55, 56.1);
      books.trade(65, 66.1);
      books.hold(56.05, 66.05, -50);
    },
  },
  {
    scenario: MIXED,
    seed: 52,
    account: 'card',
    until: 130,
    simulated: 'the first balance is of two days before and includes 65.07 pending, which expires',
    second: '65.07 is charged after the first balance and refunded on day 1, both without a transaction',
    isScoredTwice: false,
    retell: (books) => {
      books.bookUnlisted(0.5, -6507);
      books.bookUnlisted(1.02, 6507);
    },
  },
  {
    scenario: MIXED,
    seed: 108,
    account: 'card',
    until: 57,
    simulated: '76.62 and 51.34 are pending until they are posted, and listed a day later',
    second: '76.62 and 51.34 are fees, each of which is refunded later without a transaction',
    isScoredTwice: false,
    retell: (books) => {
      books.removeHold(7, -7662);
      books.bookUnlisted(7.8, -7662);
      books.bookUnlisted(9.88, 7662);
      books.removeHold(36, -5134);
      books.bookUnlisted(36.02, -5134);
      books.bookUnlisted(37.02, 5134);
    },
  },
  {
    scenario: MIXED,
    seed: 134,
    account: 'second checking',
    until: 64,
    simulated: 'a purchase is posted and listed on day 63, dated day 60, and two balances are of the days before',
    second: 'the purchase is posted on day 62, before it is listed, and refunded on that day without a transaction',
    isScoredTwice: false,
    retell: (books) => {
      books.bookListed(60, -7658, 62.5);
      books.bookUnlisted(62.6, 7658);
    },
  },
];

/**
 * Households that miss days because their feed leaves them open: the engine's days differ from the simulator's, but
 * there are other books by which all of these days are as it says, and which bring the same feed to the last byte. Both
 * are played by the simulator. The second ones need other faults of the bank, such as an entry that is listed before it
 * is booked; which faults a bank has, nobody knows. Where the scores count such days by the second books too, no engine
 * has a full score by both; elsewhere one could, by taking the first books for granted.
 */
describe('simulated households whose feed fits two sets of books', () => {
  it.each(tenthInQuickRun(TRUTHS))('$simulated; or $second: both fit the feed ($scenario, $seed)', (truth) => {
    const { feed, secondFeed, told, secondlyTrue, isScoredTwice } = compare(truth);

    expect(secondFeed).toEqual(feed);
    expect(told.length).toBeGreaterThan(0);
    expect(secondlyTrue).toEqual(told);
    expect(isScoredTwice).toBe(truth.isScoredTwice);
  });
});
