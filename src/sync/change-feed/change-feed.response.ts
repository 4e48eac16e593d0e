import type { Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { AccountResponse } from '../../balances/accounts/account.response.js';
import { HoldingResponse } from '../../balances/holdings/holding.response.js';
import { TransactionResponse } from '../../balances/transactions/transaction.response.js';
import { BalanceResponse } from '../../balances/record/balance.response.js';
import { RECORDS_OF_MODULES } from '../../database/change-log/change.js';
import { ConnectionResponse } from '../overview/connection.response.js';
import { SyncResponse } from '../runs/sync.response.js';

const Ids = () =>
  ApiProperty({
    type: [String],
    format: 'uuid',
    description: 'Replace these in your copy. Delete those that are not among the records.',
  });
const Day = (description: string) => ApiProperty({ type: String, format: 'date', nullable: true, description });
const FROM = 'The first day; `null`: unbounded.';
const TO = 'The last day; `null`: unbounded.';

class AccountsChange {
  @ApiProperty({ enum: ['accounts'] })
  type: 'accounts';

  @Ids()
  ids: string[];

  @ApiProperty({ type: [AccountResponse] })
  records: AccountResponse[];
}

class ConnectionsChange {
  @ApiProperty({ enum: ['connections'] })
  type: 'connections';

  @Ids()
  ids: string[];

  @ApiProperty({ type: [ConnectionResponse] })
  records: ConnectionResponse[];
}

class SyncsChange {
  @ApiProperty({ enum: ['syncs'] })
  type: 'syncs';

  @Ids()
  ids: string[];

  @ApiProperty({ type: [SyncResponse] })
  records: SyncResponse[];
}

class HoldingsChange {
  @ApiProperty({ enum: ['holdings'] })
  type: 'holdings';

  @ApiProperty({ format: 'uuid', description: 'Replace all holdings of this account in your copy.' })
  account_id: string;

  @ApiProperty({ type: [HoldingResponse] })
  records: HoldingResponse[];
}

class BalancesChange {
  @ApiProperty({ enum: ['balances'] })
  type: 'balances';

  @ApiProperty({ format: 'uuid', description: 'Replace the balances of this account on these days in your copy.' })
  account_id: string;

  @Day(FROM)
  from: string | null;

  @Day(TO)
  to: string | null;

  @ApiProperty({ type: [BalanceResponse] })
  records: BalanceResponse[];
}

/** Either transactions by id, or all of an account within a range of days. */
class TransactionsChange {
  @ApiProperty({ enum: ['transactions'] })
  type: 'transactions';

  @ApiPropertyOptional({
    type: [String],
    format: 'uuid',
    description: 'Replace these in your copy. Delete those that are not among the records.',
  })
  ids?: string[];

  @ApiPropertyOptional({
    format: 'uuid',
    description: 'Instead of ids: replace the transactions of this account on these days in your copy.',
  })
  account_id?: string;

  @ApiPropertyOptional({ type: String, format: 'date', nullable: true, description: FROM })
  from?: string | null;

  @ApiPropertyOptional({ type: String, format: 'date', nullable: true, description: TO })
  to?: string | null;

  @ApiProperty({ type: [TransactionResponse] })
  records: TransactionResponse[];
}

const PARTS = {
  balances: BalancesChange,
  transactions: TransactionsChange,
  accounts: AccountsChange,
  holdings: HoldingsChange,
  connections: ConnectionsChange,
  syncs: SyncsChange,
};
export type ChangedPart = InstanceType<(typeof PARTS)[keyof typeof PARTS]>;

const ONE_OF = Object.values(PARTS).map((part) => ({ $ref: getSchemaPath(part) }));
const MAPPING = Object.fromEntries(Object.entries(PARTS).map(([type, part]) => [type, getSchemaPath(part)]));

/** Adds the records of modules to the document. */
export function documentRecordsOfModules(): void {
  for (const { kind, response } of RECORDS_OF_MODULES.values()) {
    if (kind in MAPPING) continue;
    const part = partOf(kind, response);
    ApiExtraModels(part)(ChangeCollection);
    ONE_OF.push({ $ref: getSchemaPath(part) });
    MAPPING[kind] = getSchemaPath(part);
  }
}

function partOf(kind: string, response: Type): Type {
  class RecordsChange {
    @ApiProperty({ enum: [kind] })
    type: string;

    @Ids()
    ids: string[];

    @ApiProperty({ type: [response] })
    records: object[];
  }
  Object.defineProperty(RecordsChange, 'name', { value: `${response.name}Change` });
  return RecordsChange;
}

@ApiExtraModels(...Object.values(PARTS))
export class ChangeCollection {
  @ApiProperty({
    type: 'array',
    items: {
      oneOf: ONE_OF,
      discriminator: { propertyName: 'type', mapping: MAPPING },
    },
    description: 'Parts of your copy to replace, in this order. The records are those of the lists.',
  })
  changes: ChangedPart[];

  @ApiProperty({
    description: 'Store it for the next request. It is opaque.',
    example: 'WzEsIjVYcTBfd2tUbzlhYSIsNDFd',
  })
  cursor: string;

  @ApiProperty({ description: '`true`: ask again at once, the copy is not complete yet.' })
  has_more: boolean;
}
