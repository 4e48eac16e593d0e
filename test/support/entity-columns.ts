import type { EntityManager, EntityMetadata } from '@mikro-orm/postgresql';

export interface Column {
  name: string;
  type: string;
  isNullable: boolean;
  /** Its place in the primary key, from 1; 0: it is no part of it. */
  keyPosition: number;
}

/** MikroORM names some types by their short name, and writes no precision where PostgreSQL has its own. */
const TYPES: Record<string, string> = {
  timestamptz: 'timestamp with time zone',
  'timestamptz[]': 'timestamp with time zone[]',
  'timestamptz(0)': 'timestamp with time zone',
  int: 'integer',
};

const STORED = `
  select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as "isNullable",
    coalesce(array_position(i.indkey::int2[], a.attnum), -1)::integer + 1 as "keyPosition"
  from pg_attribute a left join pg_index i on i.indrelid = a.attrelid and i.indisprimary
  where a.attrelid = ?::regclass and a.attnum > 0 and not a.attisdropped`;

const byName = (a: Column, b: Column) => (a.name < b.name ? -1 : 1);

/** What an entity says of its table, by name. */
export function declaredColumns({ props, primaryKeys }: EntityMetadata): Column[] {
  const columns = props.map(({ name, fieldNames, columnTypes, nullable = false }) => ({
    name: fieldNames[0]!,
    type: TYPES[columnTypes[0]!] ?? columnTypes[0]!,
    isNullable: nullable,
    keyPosition: primaryKeys.indexOf(name as never) + 1,
  }));
  return columns.sort(byName);
}

/** What the migrated table has, by name. */
export async function storedColumns(em: EntityManager, table: string): Promise<Column[]> {
  return (await em.execute<Column[]>(STORED, [table])).sort(byName);
}

/** The key under which typed Kysely knows a column: the property in snake case, whatever `fieldName` says. */
export function snakeCase(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
