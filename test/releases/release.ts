/** What `npm run release:record` keeps of a release, beside its data. */
export interface Release {
  /** Its code. */
  commit: string;
  /** Of the only person in the data; it opens nothing else. */
  key: string;
  /** By path. */
  answers: Record<string, unknown>;
  columns: Column[];
  /** Those that the release sent to the database, with parameters. */
  statements: string[];
}

export interface Column {
  table: string;
  name: string;
  type: string;
  isNullable: boolean;
  hasDefault: boolean;
}

/** When it was recorded. */
export const NOW = '2026-03-15T12:00:00Z';

export const PATHS = [
  '/api/v1/me',
  '/api/v1/accounts',
  '/api/v1/balances?per_page=100',
  '/api/v1/transactions?per_page=100',
  '/api/v1/holdings',
  '/api/v1/connections',
  '/api/v1/syncs',
  '/api/v1/net_worth?currency=USD',
];

export const COLUMNS = `
  select table_name::text as "table", column_name::text as name, format_type(a.atttypid, a.atttypmod) as type,
    is_nullable = 'YES' as "isNullable", column_default is not null or is_generated = 'ALWAYS' as "hasDefault"
  from information_schema.columns c
  join pg_attribute a on a.attrelid = format('%I.%I', table_schema, table_name)::regclass and a.attname = column_name
  where table_schema = 'public' and table_name <> 'migrations'
  order by table_name collate "C", column_name collate "C"`;
