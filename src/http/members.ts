import type { Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, type ApiPropertyOptions, getSchemaPath } from '@nestjs/swagger';
import type { QueryResultRow } from 'pg';
import { minorDigits } from '../platform/money/currency.js';
import { amountText } from '../platform/money/currency-text.js';
import { instantText } from '../platform/time/instant-text.js';
import { csvLine, formulaSafe } from './export/csv.js';
import type { Exportable } from './export/record-export.service.js';

// A response class says each of its members once: the document, the answer and the columns of CSV follow.

/** The column of the row, or the property of the entity, that has the value; or what is made of the row. */
type Source = string | ((row: never) => unknown);

interface MemberOptions<Value> {
  description?: string;
  example?: Value | null;
  nullable?: boolean;
  /** `false`: clients are not promised that it is there. */
  required?: boolean;
  /** By default the column of the same name; of an amount, the column with the suffix `_minor`. */
  from?: Source;
  /** In the document. */
  format?: string;
  minimum?: number;
}

/** Refuses a member of another type. */
export type MemberDecorator<Value> = <Name extends string>(
  target: { readonly [member in Name]?: Value | null },
  name: Name,
) => void;
/** Refuses an amount without its integer. */
type AmountDecorator = <Name extends string>(
  target: { readonly [member in Name]: string | null } & { readonly [member in `${Name}_cents`]: number | null },
  name: Name,
) => void;

type Fields = Record<string, unknown>;
type Cell = string | number | boolean | null;

interface Member {
  /** Its names in the answer. */
  names: readonly string[];
  columns: readonly string[];
  write: (item: Fields, row: Fields) => void;
  addCells: (cells: Cell[], item: Fields) => void;
}

/** The members that a class declares, by its prototype. */
const DECLARED = new WeakMap<object, Member[]>();

function declare(prototype: object, member: Member): void {
  DECLARED.set(prototype, [...(DECLARED.get(prototype) ?? []), member]);
}

function membersOf(prototype: object | null): Member[] {
  if (prototype === null) return [];
  return [...membersOf(Object.getPrototypeOf(prototype) as object | null), ...(DECLARED.get(prototype) ?? [])];
}

/** Of a row `created_at`, and of an entity `createdAt`. */
function readerOf(from: Source): (row: Fields) => unknown {
  if (typeof from === 'function') return from as (row: Fields) => unknown;
  const property = from.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  if (property === from) return (row) => row[from];
  return (row) => {
    const value = row[from];
    return value === undefined ? row[property] : value;
  };
}

/**
 * @param schema in the document
 * @param shown the value in the answer
 * @param cell a text in CSV
 */
function kind<Value>(
  { type, ...schema }: ApiPropertyOptions,
  shown: ((value: never) => unknown) | null = null,
  cell: ((text: string) => string) | null = null,
) {
  return ({ from, nullable, required, ...rest }: MemberOptions<Value> = {}): MemberDecorator<Value> =>
    (target, name) => {
      const presence = { ...(nullable && { nullable }), ...(required === false && { required }) };
      ApiProperty({ type, ...presence, ...schema, ...rest } as ApiPropertyOptions)(target, name);
      const read = readerOf(from ?? name);
      declare(target, {
        names: [name],
        columns: [typeof from === 'string' ? from : name],
        write: (item, row) => {
          const value = read(row);
          item[name] = shown === null || value === null ? value : shown(value as never);
        },
        addCells: (cells, item) => {
          const value = item[name] as Cell;
          cells.push(cell !== null && typeof value === 'string' ? cell(value) : value);
        },
      });
    };
}

export const Id = kind<string>({ type: String, format: 'uuid' });
export const Day = kind<string>({ type: String, format: 'date' });
/** Of a row's seconds of Unix time, or an entity's `Date`. */
export const Moment = kind<string>({ type: String, format: 'date-time' }, (moment: number | Date) =>
  typeof moment === 'number' ? instantText(moment) : moment.toISOString(),
);
/** A text of people or banks, which spreadsheets must not read as a formula. */
export const Text = kind<string>({ type: String }, null, formulaSafe);
export const Flag = kind<boolean>({ type: Boolean });
export const Count = kind<number>({ type: 'integer' });
/** By which balances are multiplied to add them up. */
export const Factor = kind<number>({ type: 'number', format: 'float' });

/** @param values read when the document is made: modules add to some lists */
export function OneOf<const Value extends string>(
  values: readonly Value[],
  options?: MemberOptions<Value>,
): MemberDecorator<Value> {
  // OpenAPI 3.0.3 allows null only if the list has it.
  const all = options?.nullable ? [...values, null] : (values as Value[]);
  return kind<Value>({ type: String, enum: all })(options);
}

export const Ids = kind<readonly string[]>({ type: [String], format: 'uuid' });
export const Texts = kind<readonly string[]>({ type: [String] });

/** @param values read when the document is made: modules add to some lists */
export function SomeOf<const Value extends string>(
  values: readonly Value[],
  options?: MemberOptions<readonly Value[]>,
): MemberDecorator<readonly Value[]> {
  return kind<readonly Value[]>({ type: 'array', items: { type: 'string', enum: values as Value[] } })(options);
}

/** Of an amount whose text is not the member before it. */
export const Minor = kind<number>({ type: 'integer', format: 'int64' });

interface AmountOptions extends Omit<MemberOptions<number>, 'example' | 'format' | 'minimum'> {
  /** In minor units of US dollars. */
  example?: number;
  /** The currency of the example. */
  currency?: string;
  /** Of the integer in the document. */
  format?: 'int64' | null;
}

/** An amount as text and, in the member with the suffix `_cents`, in minor units of the row's `currency`. */
export function Amount(options: AmountOptions = {}): AmountDecorator {
  const { description, nullable, required = true, example, currency = 'USD', format = 'int64', from } = options;
  return (target, name) => {
    const cents = `${name}_cents`;
    const presence = { required, ...(nullable && { nullable }) };
    const text = example === undefined ? undefined : amountText(example, currency);
    ApiProperty({ type: String, ...presence, description, example: text })(target, name);
    const inMinorUnits = { ...(format && { format }), ...presence, description: 'In minor units.', example };
    ApiProperty({ type: 'integer', ...inMinorUnits })(target, cents);
    const read = readerOf(from ?? `${name}_minor`) as (row: Fields) => number | null;
    declare(target, {
      names: [name, cents],
      columns: [name, cents],
      write: (item, row) => {
        const minor = read(row);
        item[name] = minor === null ? null : amountText(minor, row.currency as string);
        item[cents] = minor;
      },
      addCells: (cells, item) => {
        // Where the currency is no code, the text begins with the bank's own word.
        const isOurs = minorDigits(item.currency as string) !== undefined;
        const text = item[name] as string | null;
        cells.push(text === null || isOurs ? text : formulaSafe(text), item[cents] as number | null);
      },
    });
  };
}

type ObjectOptions = Omit<MemberOptions<object>, 'example' | 'format' | 'minimum'>;

/** OpenAPI 3.0.3 lets no reference be null: only null matches the second schema. */
function orNull(type: Type<object>) {
  const nothing = { type: 'object', nullable: true, enum: [null] };
  return { oneOf: [{ $ref: getSchemaPath(type) }, nothing], nullable: undefined };
}

/** An object of members: of the same row, beside whose cells its own are, or of what `from` says. */
export function Group(type: Type<object>, { from, ...options }: ObjectOptions = {}): MemberDecorator<object> {
  const toItem = responseOf<object>(type);
  if (from !== undefined) return kind<object>({ type }, toItem)({ from, ...options });
  return (target, name) => {
    ApiExtraModels(type)(target.constructor);
    ApiProperty({ ...options, ...(options.nullable ? orNull(type) : { type }) })(target, name);
    const members = membersOf(type.prototype as object);
    declare(target, {
      names: [name],
      columns: members.flatMap(({ columns }) => columns),
      write: (item, row) => (item[name] = toItem(row)),
      addCells: (cells, item) => {
        for (const { addCells } of members) addCells(cells, item[name] as Fields);
      },
    });
  };
}

/** An object for each of the rows that a row has. */
export function List(type: Type<object>, options?: ObjectOptions): MemberDecorator<readonly object[]> {
  const toItem = responseOf<object>(type);
  return kind<readonly object[]>({ type: [type] }, (rows: readonly object[]) => rows.map(toItem))(options);
}

/** Shows rows as a class says. */
export function responseOf<Response extends object>(type: Type<Response>): (row: object) => Response {
  const members = membersOf(type.prototype as object);
  // Copied and filled in, an object is made in half the time that one takes whose members are added.
  const empty: Fields = Object.fromEntries(members.flatMap(({ names }) => names.map((name) => [name, null])));
  return (row) => {
    const item = { ...empty };
    for (let i = 0; i < members.length; i++) members[i]!.write(item, row as Fields);
    return item as Response;
  };
}

/**
 * A list that is exported as a class says.
 *
 * @param name of the file, without extension
 * @param toItem shows a row
 * @param last members whose columns are behind all others
 */
export function exportOf<Row extends QueryResultRow, Response extends object>(
  name: string,
  type: Type<Response>,
  toItem: (row: Row) => Response,
  last: readonly (keyof Response)[] = [],
): Exportable<Row> {
  const isLast = ({ names }: Member) => last.some((member) => names.includes(String(member)));
  const all = membersOf(type.prototype as object);
  const members = [...all.filter((member) => !isLast(member)), ...all.filter(isLast)];
  return {
    name,
    toItem,
    columns: members.flatMap(({ columns }) => columns),
    toLine: (row) => {
      const item = toItem(row) as Fields;
      const cells: Cell[] = [];
      for (const { addCells } of members) addCells(cells, item);
      return csvLine(cells);
    },
  };
}
