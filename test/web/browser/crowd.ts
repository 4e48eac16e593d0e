import type { Page } from 'playwright-core';
import type { SnapshotAccount } from '../../../src/providers/bank-provider.js';
import {
  balance,
  coveredSince,
  createConnection,
  snapshotAccount,
  transaction,
  writeSnapshot,
} from '../../support/factories.js';
import type { Scenes, Site } from './scenes.js';
import { signUp } from './site.js';
import { at, behind, opened } from './steps.js';

const TYPES = ['depository', 'credit_card', 'investment', 'loan'] as const;

/** Names and amounts as hostile as a bank can make them, in the currencies with other digits than two. */
const ODD: Partial<SnapshotAccount>[] = [
  { name: 'Haushaltskonto für gemeinsame Ausgaben von Wohnung, Auto und Urlaub '.repeat(2).trim(), institution: null },
  { name: 'Konto'.repeat(40), institution: 'Bank'.repeat(40), balance: balance(9_876_543_210_987) },
  { name: 'حساب التوفير العائلي', institution: 'بنك الخليج', currency: 'KWD', balance: balance(1_234_567_891) },
  { name: 'חשבון משותף \u202Eevil', currency: 'ILS', balance: balance(-1) },
  { name: '招商银行活期储蓄账户', currency: 'CNY', balance: balance(123_456_789_012) },
  { name: '🏖️ Holiday fund 👨‍👩‍👧‍👦', currency: 'GBP', balance: balance(1) },
  ...['Bank of the North', 'Bank of the South'].map((institution) => ({ name: 'Unnamed account', institution })),
  { name: '<b>Bold</b> & "quoted"', currency: 'CHF', balance: balance(0) },
  { name: 'Cuenta de ahorro', currency: 'CLP', balance: balance(98_765_432_101), suggestedType: 'depository' },
  { name: 'Satoshis', currency: 'BTC', balance: balance(1), suggestedType: 'crypto' },
  { name: 'Staking wallet', currency: 'ETH', balance: balance(1_234_567_890_123), suggestedType: 'crypto' },
  { name: 'Gold in the vault', currency: 'XAU', balance: balance(35_274), suggestedType: 'other_asset' },
  { name: '普通預金', currency: 'JPY', balance: balance(-12_345_678) },
  { name: 'Old passbook', balance: balance(50_000), covered: coveredSince('1975-01-01') },
];

/** Signs somebody up who has as many accounts as the overview must bear. */
export function meetCrowd(site: Site, page: Page): Promise<void> {
  return meetOwner(site, page, [...ODD, ...Array.from({ length: 200 - ODD.length }, (_, n) => plain(n + 1))]);
}

/** Signs somebody up who has many accounts, all of them ordinary. */
export function meetFifty(site: Site, page: Page): Promise<void> {
  return meetOwner(
    site,
    page,
    Array.from({ length: 50 }, (_, n) => plain(n + 1)),
  );
}

async function meetOwner(site: Site, page: Page, accounts: readonly Partial<SnapshotAccount>[]): Promise<void> {
  const email = `owner-of-${accounts.length}@example.com`;
  await signUp(page, site.url, email);
  const [user]: { id: string }[] = await site.em().execute('select id from users where email = ?', [email]);
  const connection = await createConnection(site, user!.id);
  for (const more of accounts) {
    const account = snapshotAccount({ balance: balance(0), ...more });
    await writeSnapshot(site, connection, { ...account, transactions: transactionsOf(account) });
  }
}

function plain(n: number): Partial<SnapshotAccount> {
  const type = TYPES[n % TYPES.length]!;
  const isDebt = type === 'credit_card' || type === 'loan';
  return {
    name: `${type === 'investment' ? 'Depot' : 'Account'} ${n}`,
    balance: balance((isDebt ? -1 : 1) * 10_007 * n),
    suggestedType: n % 10 === 0 ? null : type,
  };
}

/** The first is as old as the bank’s history. */
function transactionsOf({ name, currency, covered }: SnapshotAccount): SnapshotAccount['transactions'] {
  const of = { currency: currency ?? 'USD', description: `${name} ${'NOTPROVIDED'.repeat(10)}` };
  const first = covered[0]!.from === '1975-01-01' ? '1975-01-01' : '2025-03-16';
  return [transaction(first, 1, of), transaction('2026-03-14', -1, of)];
}

/** What is there with 50 accounts in one currency. */
export const SCENES_OF_FIFTY: Scenes = {
  'fifty-overview': at('/'),
  'fifty-overview-opened': opened(at('/?range=all')),
  'fifty-connections': opened(at('/connections')),
  'fifty-transactions': at('/transactions?search=account'),
};

/** What is there with 200 accounts in a dozen currencies. */
export const SCENES_OF_CROWD: Scenes = {
  'crowd-overview': at('/'),
  'crowd-overview-opened': opened(at('/?range=all')),
  'crowd-overview-coins': at('/?currency=BTC'),
  'crowd-overview-pesos': at('/?currency=CLP&range=all'),
  'crowd-connections': opened(at('/connections')),
  'crowd-transactions': at('/transactions'),
  'crowd-account-long': opened(behind('/', /^Haushaltskonto/)),
  'crowd-account-unbroken': opened(behind('/', /^KontoKonto/)),
  'crowd-account-arabic': behind('/', /التوفير/),
  'crowd-account-emoji': behind('/', /Holiday/),
  'crowd-account-coins': behind('/', /Satoshis/),
  'crowd-account-decades': behind('/', /Old passbook/),
  'crowd-account-decades-days': behind('/', /Old passbook/, '/balances?page=999'),
  'crowd-account-yen': behind('/', /普通預金/, '/reconciliation'),
};
