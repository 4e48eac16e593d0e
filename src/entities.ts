import { Account } from './accounts/account.entity.js';
import { SeparateAccounts } from './accounts/duplicates/separate-accounts.entity.js';
import { Holding } from './accounts/holdings/holding.entity.js';
import { BalanceReport } from './accounts/balance-report.entity.js';
import { TransactionVersion } from './accounts/transactions/transaction-version.entity.js';
import { Transaction } from './accounts/transactions/transaction.entity.js';
import { ApiKey } from './auth/api-key.entity.js';
import { Invitation } from './auth/invitation.entity.js';
import { RecoveryCode } from './auth/second-factor/recovery-code.entity.js';
import { SecondFactor } from './auth/second-factor/second-factor.entity.js';
import { StoredSession } from './auth/session.entity.js';
import { UsedForm } from './auth/used-form.entity.js';
import { User } from './auth/user.entity.js';
import { Balance } from './balances/record/balance.entity.js';
import { BalanceRange } from './balances/record/balance-range.entity.js';
import { UncertainDays } from './balances/record/uncertain-days.entity.js';
import { Connection } from './connections/connection.entity.js';
import { DeletedAccount } from './ingest/delete-account/deleted-account.entity.js';
import { SyncRun } from './sync/sync-run.entity.js';
import { WebhookDelivery } from './webhooks/deliveries/webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhooks/endpoints/webhook-endpoint.entity.js';
import { WebhookSecret } from './webhooks/endpoints/webhook-secret.entity.js';

/** Every entity of MikroORM. */
export const ENTITIES = [
  User,
  ApiKey,
  Invitation,
  StoredSession,
  SecondFactor,
  RecoveryCode,
  UsedForm,
  Connection,
  Account,
  DeletedAccount,
  SeparateAccounts,
  Transaction,
  TransactionVersion,
  BalanceReport,
  Holding,
  Balance,
  BalanceRange,
  UncertainDays,
  SyncRun,
  WebhookEndpoint,
  WebhookSecret,
  WebhookDelivery,
];
