import type { Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { AccountResponse } from '../../balances/accounts/account.response.js';
import { HoldingResponse } from '../../balances/holdings/holding.response.js';
import { TransactionResponse } from '../../balances/transactions/transaction.response.js';
import { BalanceResponse } from '../../balances/record/balance.response.js';
import { RECORDS_OF_MODULES } from '../../database/change-log/change.js';
import { Day, Flag, Id, Ids, List, OneOf, Text } from '../../http/members.js';
import { ConnectionResponse } from '../overview/connection.response.js';
import { SyncResponse } from '../runs/sync.response.js';

const IDS = { description: 'Replace these in your copy. Delete those that are not among the records.' };
const FROM = { nullable: true, description: 'The first day; `null`: unbounded.' };
const TO = { nullable: true, description: 'The last day; `null`: unbounded.' };

/** Some records by their ids. @param name of the schema in the document */
function changeByIds<Kind extends string, Shown extends object>(
  kind: Kind,
  response: Type<Shown>,
  name: string,
): Type<{ type: Kind; ids: string[]; records: Shown[] }> {
  class RecordsChange {
    @OneOf<string>([kind])
    type: Kind;

    @Ids(IDS)
    ids: string[];

    @List(response)
    records: Shown[];
  }
  Object.defineProperty(RecordsChange, 'name', { value: name });
  return RecordsChange;
}

class HoldingsChange {
  @OneOf(['holdings'])
  type: 'holdings';

  @Id({ description: 'Replace all holdings of this account in your copy.' })
  account_id: string;

  @List(HoldingResponse)
  records: HoldingResponse[];
}

class BalancesChange {
  @OneOf(['balances'])
  type: 'balances';

  @Id({ description: 'Replace the balances of this account on these days in your copy.' })
  account_id: string;

  @Day(FROM)
  from: string | null;

  @Day(TO)
  to: string | null;

  @List(BalanceResponse)
  records: BalanceResponse[];
}

/** Either transactions by id, or all of an account within a range of days. */
class TransactionsChange {
  @OneOf(['transactions'])
  type: 'transactions';

  @Ids({ ...IDS, required: false })
  ids?: string[];

  @Id({
    required: false,
    description: 'Instead of ids: replace the transactions of this account on these days in your copy.',
  })
  account_id?: string;

  @Day({ ...FROM, required: false })
  from?: string | null;

  @Day({ ...TO, required: false })
  to?: string | null;

  @List(TransactionResponse)
  records: TransactionResponse[];
}

const PARTS = {
  balances: BalancesChange,
  transactions: TransactionsChange,
  accounts: changeByIds('accounts', AccountResponse, 'AccountsChange'),
  holdings: HoldingsChange,
  connections: changeByIds('connections', ConnectionResponse, 'ConnectionsChange'),
  syncs: changeByIds('syncs', SyncResponse, 'SyncsChange'),
};
export type ChangedPart = InstanceType<(typeof PARTS)[keyof typeof PARTS]>;

const ONE_OF = Object.values(PARTS).map((part) => ({ $ref: getSchemaPath(part) }));
const MAPPING = Object.fromEntries(Object.entries(PARTS).map(([type, part]) => [type, getSchemaPath(part)]));

/** Adds the records of modules to the document. */
export function documentRecordsOfModules(): void {
  for (const { kind, response } of RECORDS_OF_MODULES.values()) {
    if (kind in MAPPING) continue;
    const part = changeByIds(kind, response, `${response.name}Change`);
    ApiExtraModels(part)(ChangeCollection);
    ONE_OF.push({ $ref: getSchemaPath(part) });
    MAPPING[kind] = getSchemaPath(part);
  }
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

  @Text({ description: 'Store it for the next request. It is opaque.', example: 'WzEsIjVYcTBfd2tUbzlhYSIsNDFd' })
  cursor: string;

  @Flag({ description: '`true`: ask again at once, the copy is not complete yet.' })
  has_more: boolean;
}
