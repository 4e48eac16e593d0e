import { Account } from './accounts/account.entity.js';
import { BalanceReport } from './accounts/balance-report.entity.js';
import { SeparateAccounts } from './accounts/duplicates/separate-accounts.entity.js';
import { foldReports } from './accounts/fold-reports.js';
import { Holding } from './holdings/holding.entity.js';
import { TransactionVersion } from './transactions/transaction-version.entity.js';
import { Transaction } from './transactions/transaction.entity.js';
import { Correction, ImportedList, OwnRow, StatedBalance } from './own-knowledge/own-knowledge.entities.js';
import type { Part } from '../platform/module.js';
import { BalancesModule } from './balances.module.js';
import { BALANCES_TOOLS } from './balances.tools.js';
import { HistoryRebuildService } from './history/history-rebuild.service.js';
import { BalanceRange } from './record/balance-range.entity.js';
import { Balance } from './record/balance.entity.js';
import { UncertainDays } from './record/uncertain-days.entity.js';

export const balances: Part = {
  name: 'balances',
  module: BalancesModule,
  entities: [
    Account,
    SeparateAccounts,
    Transaction,
    TransactionVersion,
    BalanceReport,
    Holding,
    Balance,
    BalanceRange,
    UncertainDays,
    ImportedList,
    OwnRow,
    StatedBalance,
    Correction,
  ],
  personalData: [
    { type: 'account', table: 'accounts' },
    { type: 'accounts_kept_separate', table: 'accounts_kept_apart' },
    { type: 'transaction', table: 'transactions' },
    { type: 'transaction_version', table: 'transaction_versions' },
    { type: 'observation', table: 'observations' },
    { type: 'holding', table: 'holdings' },
    { type: 'balance', table: 'balances' },
    { type: 'balance_version', table: 'balance_versions' },
    { type: 'uncertain_day', table: 'uncertain_days' },
    { type: 'imported_list', table: 'imported_lists' },
    { type: 'own_row', table: 'own_rows' },
    { type: 'stated_balance', table: 'stated_balances' },
    { type: 'correction', table: 'corrections' },
  ],
  scopes: {
    'accounts:read': 'See accounts.',
    'accounts:write': 'Add, name, merge, hide and delete accounts, and state their balances.',
    'balances:read': 'See the balance of each day, and net worth.',
    'holdings:read': 'See securities.',
    'transactions:read': 'See transactions.',
    'transactions:write': 'Correct and add transactions.',
  },
  accountScopes: [
    'accounts:read',
    'accounts:write',
    'balances:read',
    'holdings:read',
    'transactions:read',
    'transactions:write',
  ],
  auditEvents: {
    account_added: { text: 'Account added by hand' },
    statement_added: { text: 'Balance stated' },
    statement_changed: { text: 'Stated balance changed' },
    statement_removed: { text: 'Stated balance removed' },
    value_set: { text: 'Value of an account set' },
    value_removed: { text: 'Value of an account removed' },
    transaction_corrected: { text: 'Transaction corrected' },
    correction_undone: { text: 'Correction taken back' },
    transaction_added: { text: 'Transaction added' },
    transaction_removed: { text: 'Added transaction deleted' },
  },
  // Accounts by hand have a balance on each day, too, also where no sync derives it.
  tasks: [{ name: 'own-accounts', cron: () => '3 * * * *', run: (get) => get(HistoryRebuildService).continueOwn() }],
  notExported: ['balance_spans'],
  lockedBeforeDeletion: ['accounts'],
  tools: BALANCES_TOOLS,
  retention: { repeated_reports: foldReports },
};
