import type { HouseholdConnection, Institution } from '../household.js';
import type { AccountPlan } from '../life/life.js';

export type AbroadKey = 'current' | 'savings' | 'card' | 'sterling' | 'yen' | 'portfolio';

/** The banks and what reaches them. Every name but those of the aggregators is invented, and one of theirs is, too. */
export const BANKS_ABROAD = {
  waterkant: bank('Waterkant Bank', 'waterkant.example', 'gocardless'),
  nordhavn: bank('Nordhavn Sparbank', 'nordhavn.example', 'fjordlink'),
  thistledown: bank('Thistledown Bank', 'thistledown.example', 'gocardless'),
  hoshikawa: bank('ほしかわ銀行', 'hoshikawa.example', 'finverse'),
  lantern: bank('Lantern Invest', 'lantern-invest.example', 'snaptrade'),
} as const;

const BOOKED_AT_MIDNIGHT = { bookedAtSecond: 0, refreshedAtSecond: 12_600, creditMinor: null, openedAt: null };

export const ACCOUNT_PLANS_ABROAD: Readonly<Record<AbroadKey, AccountPlan>> = {
  current: {
    ...BOOKED_AT_MIDNIGHT,
    bank: 'waterkant',
    name: 'Betaalrekening',
    currency: 'EUR',
    openingMinor: 214_860,
  },
  savings: { ...BOOKED_AT_MIDNIGHT, bank: 'nordhavn', name: 'Sparkonto', currency: 'EUR', openingMinor: 1_175_000 },
  card: { ...BOOKED_AT_MIDNIGHT, bank: 'waterkant', name: 'Creditcard', currency: 'EUR', openingMinor: -31_805 },
  sterling: {
    ...BOOKED_AT_MIDNIGHT,
    bank: 'thistledown',
    name: 'Current account',
    currency: 'GBP',
    openingMinor: 96_240,
  },
  yen: { ...BOOKED_AT_MIDNIGHT, bank: 'hoshikawa', name: '普通預金', currency: 'JPY', openingMinor: 482_300 },
  portfolio: {
    ...BOOKED_AT_MIDNIGHT,
    bank: 'lantern',
    name: 'Self-directed',
    currency: 'EUR',
    openingMinor: 41_250,
  },
};

function bank(name: string, domain: string, upstream: string): Institution & Pick<HouseholdConnection, 'upstream'> {
  return { id: `INST-${domain}`, name, domain, url: `https://www.${domain}`, upstream };
}
