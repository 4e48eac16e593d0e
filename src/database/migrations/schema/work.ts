/** Work in the background: the job queue and syncs. */
export const WORK = `
  -- The job queue, whose library makes the tables in it. Instances that started together on an empty database could all find
  -- no schema, and the library takes the unique violation of the slower ones for a failure.
  create schema if not exists pgboss;

  -- One sync of one connection, from its request to its end: the record of the job with its id.
  create table sync_runs (
    user_id uuid not null references users on delete cascade,
    id uuid not null,
    -- Null once its connection was deleted.
    connection_id uuid,
    trigger text not null check (trigger in ('first', 'person', 'schedule')),
    status text not null check (status in ('queued', 'running', 'succeeded', 'partial', 'failed', 'cancelled')),
    step text not null,

    -- The newest attempt of its job, which may write for it.
    attempt integer not null default 0,

    accounts_done integer not null default 0,
    accounts_total integer,
    -- What it did to each account.
    accounts jsonb not null default '[]',
    transactions_added integer not null default 0,
    transactions_updated integer not null default 0,
    transactions_removed integer not null default 0,
    balances_written integer not null default 0,
    problems jsonb not null default '[]',

    queued_at timestamptz not null,
    -- Which of two runs of one millisecond is the newer.
    event_id bigint not null default (extract(epoch from clock_timestamp()) * 1000000)::bigint,
    started_at timestamptz,
    finished_at timestamptz,
    primary key (user_id, id),
    foreign key (user_id, connection_id) references connections on delete set null (connection_id)
  );
  create unique index sync_runs_one_open_idx on sync_runs (user_id, connection_id) where status in ('queued', 'running');
  create index sync_runs_list_idx on sync_runs (user_id, queued_at desc, id);
  create index sync_runs_connection_idx on sync_runs (user_id, connection_id, queued_at desc);
  -- For all people: those to look after, and those of the last day for each scrape of the metrics. Not a BRIN index: rows
  -- that are removed at night make room for new ones among old ones.
  create index sync_runs_open_idx on sync_runs (id) where status in ('queued', 'running');
  create index sync_runs_queued_idx on sync_runs (queued_at);
`;
