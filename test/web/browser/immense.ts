import type { Page } from 'playwright-core';
import type { SnapshotAccount, SnapshotHolding } from '../../../src/providers/bank-provider.js';
import { Connection } from '../../../src/sync/connections/connection.entity.js';
import { MAX_AMOUNT_MINOR } from '../../../src/platform/money/minor-units.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../../support/factories.js';
import type { Scene, Scenes, Site } from './scenes.js';
import { signUp } from './site.js';
import { at, behind, opened } from './steps.js';

const EMAIL = 'immense@example.com';
/** As long as a name may be, without a place to break it. */
const unbroken = (beginning: string) => beginning.padEnd(200, beginning);
const LATER = '2026-03-16T12:00:00Z';

/** Signs somebody up who has the longest names and the largest amounts that can be stored, in two currencies. */
export async function meetImmense(site: Site, page: Page): Promise<void> {
  await signUp(page, site.url, EMAIL);
  const [user]: { id: string }[] = await site.em().execute('select id from users where email = ?', [EMAIL]);
  const connection = await createConnection(site, user!.id);
  await site.em().nativeUpdate(Connection, { id: connection.id }, { name: unbroken('Conexao') });
  const accounts = ['BRL', 'CHF'].flatMap((currency) => [cashIn(currency), cardIn(currency), depotIn(currency)]);
  for (const account of accounts) await writeSnapshot(site, connection, account);
  site.clock.set(LATER);
  for (const account of accounts) await writeSnapshot(site, connection, nextDay(account));
}

function accountOf(kind: string, currency: string, more: Partial<SnapshotAccount>): SnapshotAccount {
  const name = unbroken(`${kind}${currency}`);
  return snapshotAccount({ name, institution: unbroken('Banco'), currency, ...more });
}

function cashIn(currency: string): SnapshotAccount {
  const of = { currency, description: unbroken('Transferencia'), merchant: unbroken('Comercio') };
  return accountOf('Conta', currency, {
    balance: { amountMinor: MAX_AMOUNT_MINOR, availableMinor: MAX_AMOUNT_MINOR - 1, date: null },
    transactions: [
      transaction('2026-03-13', MAX_AMOUNT_MINOR, of),
      transaction('2026-03-14', -MAX_AMOUNT_MINOR, of),
      transaction('2026-03-15', -MAX_AMOUNT_MINOR, { ...of, pending: true }),
    ],
  });
}

function cardIn(currency: string): SnapshotAccount {
  return accountOf('Cartao', currency, { balance: balance(-MAX_AMOUNT_MINOR), suggestedType: 'credit_card' });
}

function depotIn(currency: string): SnapshotAccount {
  const holding: SnapshotHolding = {
    externalId: 'H1',
    symbol: 'PETROBRASPETROBRAS',
    name: unbroken('Acoes'),
    quantity: '123456789.12345678',
    price: '800000.1234',
    valueMinor: MAX_AMOUNT_MINOR - 1_234_567_890_123,
    currency,
    costBasisMinor: null,
    cashEquivalent: false,
  };
  return accountOf('Deposito', currency, {
    balance: balance(MAX_AMOUNT_MINOR),
    suggestedType: 'investment',
    holdings: { status: 'available', items: [holding], total: null },
  });
}

/** All that was there is gone, and the bank lists nothing that explains it. */
function nextDay(account: SnapshotAccount): SnapshotAccount {
  return { ...account, balance: balance(-account.balance!.amountMinor) };
}

const found = (kind: string, rest = ''): Scene => behind('/', new RegExp(`^${kind}`), rest);

export const SCENES_OF_IMMENSE: Scenes = {
  'immense-overview': opened(at('/?range=all')),
  'immense-connections': opened(at('/connections')),
  'immense-connection': opened(behind('/connections', /Manage/)),
  'immense-transactions': at('/transactions'),
  'immense-account': opened(found('ContaBRL')),
  'immense-account-francs': opened(found('ContaCHF')),
  'immense-account-card': found('CartaoBRL'),
  'immense-account-balances': found('ContaBRL', '/balances'),
  'immense-account-reconciliation': found('ContaBRL', '/reconciliation'),
  'immense-depot': found('DepositoCHF', ''),
  'immense-depot-yesterday': found('DepositoCHF', '?day=2026-03-15'),
  'immense-depot-balances': found('DepositoCHF', '/balances'),
  'immense-key': async (page, site) => {
    await opened(at('/keys'))(page, site);
    await page.getByText('Only some').click();
  },
};
