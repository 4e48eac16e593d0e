import type { HouseholdConnection } from '../household.js';
import type { AccountKey } from './diary.js';
import type { AccountPlan } from './life.js';

/** The household's banks. Every name is invented. */
export const BANKS = {
  harborview: bank('Harborview Credit Union', 'harborview.example'),
  pinecrest: bank('Pinecrest Bank', 'pinecrest.example'),
  larkfield: bank('Larkfield Student Lending', 'larkfield.example'),
  summitRow: bank('Summit Row Brokerage', 'summitrow.example'),
  kazePort: bank('Kaze Port Bank', 'kazeport.example'),
} as const;

const NOON = 43_200;

export const ACCOUNT_PLANS: Readonly<Record<AccountKey, AccountPlan>> = {
  checking: {
    bank: 'harborview',
    name: 'Everyday Checking (4417)',
    currency: 'USD',
    openingMinor: 284_355,
    bookedAtSecond: NOON,
    refreshedAtSecond: 900,
    creditMinor: 0,
    openedAt: 1_420_070_400,
  },
  savings: {
    bank: 'harborview',
    name: 'High-Yield Savings (8021)',
    currency: 'USD',
    openingMinor: 940_000,
    bookedAtSecond: NOON,
    refreshedAtSecond: 900,
    creditMinor: 0,
    openedAt: 1_420_070_400,
  },
  card: {
    bank: 'pinecrest',
    name: 'Rewards Visa (0099)',
    currency: 'USD',
    openingMinor: -81_240,
    bookedAtSecond: 0,
    refreshedAtSecond: 1_500,
    creditMinor: 1_200_000,
    openedAt: null,
  },
  loan: {
    bank: 'larkfield',
    name: 'Student Loan (5530)',
    currency: 'USD',
    openingMinor: -3_120_418,
    bookedAtSecond: NOON,
    refreshedAtSecond: 2_400,
    creditMinor: null,
    openedAt: null,
  },
  brokerage: {
    bank: 'summitRow',
    name: 'Individual Brokerage (7780)',
    currency: 'USD',
    openingMinor: 134_772,
    bookedAtSecond: 75_600,
    refreshedAtSecond: 600,
    creditMinor: null,
    openedAt: null,
  },
  yen: {
    bank: 'kazePort',
    name: '普通預金 Yen Savings (3318)',
    currency: 'JPY',
    openingMinor: 1_250_400,
    bookedAtSecond: 0,
    refreshedAtSecond: 1_200,
    creditMinor: 0,
    openedAt: null,
  },
};

function bank(name: string, domain: string): HouseholdConnection['institution'] {
  return { id: `INST-${domain}`, name, domain, url: `https://www.${domain}` };
}
