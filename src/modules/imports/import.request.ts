import { AccountIdsParameter, Given, GivenFlag, GivenId, GivenOneOf, GivenText, isUuid, PageQuery } from '../../kit.js';
import type { FileChoices, FileColumn } from './files/statement-file.js';
import type { Target } from './import.entities.js';

export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export const DECIMAL_SIGNS = ['.', ','] as const;
export const SIGNS = ['as_written', 'flip'] as const;
export const STANDINGS = ['counted', 'paired', 'left_out'] as const;
export const FILE_COLUMNS = [
  'date',
  'amount',
  'debit',
  'credit',
  'direction',
  'text',
  'payee',
  'balance',
  'fee',
  'currency',
  'account',
  'id',
  'status',
] as const satisfies readonly FileColumn[];

const MAX_COLUMNS = 200;
const MAX_ACCOUNTS = 50;

/** How a file is read, where it does not say so itself. */
class ReadAs {
  @GivenOneOf(DATE_ORDERS, { optional: true, example: 'dmy', description: 'The order of day, month and year.' })
  date_order?: (typeof DATE_ORDERS)[number];

  @GivenOneOf(DECIMAL_SIGNS, { optional: true, description: 'The sign before the decimals.' })
  decimal?: (typeof DECIMAL_SIGNS)[number];

  @GivenOneOf(SIGNS, { optional: true, description: '`flip`: the file lists money out as positive.' })
  sign?: (typeof SIGNS)[number];

  @GivenText({ max: 40, optional: true, description: 'Such as `windows-1252`. Missing: found from the bytes.' })
  encoding?: string;
}

export class StartImport extends ReadAs {
  /** Read beside the other fields. */
  @Given<string>(
    { schema: { type: 'string', format: 'binary' }, problemOf: () => null },
    {
      example: 'Date,Amount,Text\n2023-01-02,-4.50,Bakery\n',
      description: 'At most 25 MiB; a zip of such files is one, too.',
    },
  )
  file?: string;

  @GivenId({ example: '9c2e6d0a-1b7f-4f5a-8c3d-2e4f6a8b0c1d', description: 'The account into which it goes.' })
  account_id: string;
}

/** What is missing stays as it is. */
export class ChooseImport extends ReadAs {
  @GivenFlag({ optional: true, description: 'Of CSV: whether the first line names the columns.' })
  header?: boolean;

  @Given<Partial<Record<FileColumn, number>>>(
    {
      schema: {
        type: 'object',
        properties: Object.fromEntries(FILE_COLUMNS.map((name) => [name, { type: 'integer', minimum: 0 }])),
        additionalProperties: false,
      } as object,
      problemOf: (value) =>
        areColumns(value) ? null : `must be an object with the places, from 0, of some of: ${FILE_COLUMNS.join(', ')}`,
    },
    { optional: true, description: 'Of CSV: the place of each column, from 0. Those that are not named are not read.' },
  )
  columns?: Partial<Record<FileColumn, number>>;

  @Given<readonly Target[]>(
    {
      schema: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_ACCOUNTS,
        items: {
          type: 'object',
          required: ['file_account', 'account_id'],
          properties: {
            file_account: { type: 'integer', minimum: 0 },
            account_id: { type: 'string', format: 'uuid' },
          },
          additionalProperties: false,
        },
      } as object,
      problemOf: (value) =>
        areTargets(value) ? null : 'must be a list of file_account and account_id, each of them once',
    },
    { optional: true, description: 'Which account of the file goes into which of yours. The others go nowhere.' },
  )
  accounts?: readonly Target[];
}

export class ListImportsQuery extends PageQuery {
  @AccountIdsParameter()
  account_id?: string[];
}

export class ListRowsQuery extends PageQuery {
  @GivenOneOf(STANDINGS, { optional: true, description: 'Only rows of which this is so.' })
  standing?: (typeof STANDINGS)[number];
}

function areColumns(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(
    ([name, place]) => (FILE_COLUMNS as readonly string[]).includes(name) && isPlace(place, MAX_COLUMNS),
  );
}

function areTargets(value: unknown): value is readonly Target[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_ACCOUNTS) return false;
  const targets = value as (Partial<Target> | null)[];
  const isTarget = (one: Partial<Target> | null) =>
    typeof one === 'object' &&
    Object.keys(one ?? {}).length === 2 &&
    isPlace(one?.file_account, Infinity) &&
    typeof one?.account_id === 'string' &&
    isUuid(one.account_id);
  const areOnce = (name: keyof Target) => new Set(targets.map((one) => one?.[name])).size === targets.length;
  return targets.every(isTarget) && areOnce('file_account') && areOnce('account_id');
}

function isPlace(place: unknown, below: number): boolean {
  return Number.isInteger(place) && (place as number) >= 0 && (place as number) < below;
}

/** What a request says of how a file is read. */
export function choicesOf({ date_order, decimal, sign, encoding }: ReadAs): FileChoices {
  return {
    ...(date_order && { date_order }),
    ...(decimal && { decimal }),
    ...(sign && { sign }),
    ...(encoding && { encoding }),
  };
}
