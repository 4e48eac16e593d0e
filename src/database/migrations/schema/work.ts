/** Work in the background: syncs, webhooks, and what happens at night. */
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
    trigger text not null check (trigger in ('first', 'person', 'schedule', 'rebuild')),
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

  -- Addresses that receive changes. The transactions that change something write nothing for them: each has a position in
  -- the change log and receives what comes after it.
  create table webhook_endpoints (
    user_id uuid not null references users on delete cascade,
    id uuid not null,
    url text not null,
    description text not null,
    event_types text[] not null,
    status text not null check (status in ('enabled', 'disabled')),
    disabled_reason text check (disabled_reason in ('person', 'gone', 'failing', 'secret_lost')),
    disabled_at timestamptz,
    -- Everything up to this revision of the change log is among its deliveries, or is none of its business.
    position bigint not null,
    -- Of its newest delivery.
    last_number bigint not null default 0,
    -- In a row, and since when.
    failures integer not null default 0,
    failing_since timestamptz,
    next_attempt_at timestamptz,
    lease_holder uuid,
    leased_until timestamptz,
    created_at timestamptz not null,
    primary key (user_id, id),
    check ((status = 'disabled') = (disabled_reason is not null))
  );

  -- With which messages are signed: one, or two for a while after a rotation.
  create table webhook_secrets (
    user_id uuid not null,
    id uuid not null,
    endpoint_id uuid not null,
    -- Sealed.
    credential text not null,
    created_at timestamptz not null,
    -- Null: until it is rotated.
    expires_at timestamptz,
    primary key (user_id, id),
    foreign key (user_id, endpoint_id) references webhook_endpoints on delete cascade
  );
  create index webhook_secrets_endpoint_idx on webhook_secrets (user_id, endpoint_id);

  -- What an endpoint has received or shall receive.
  create table webhook_deliveries (
    user_id uuid not null,
    endpoint_id uuid not null,
    -- The order in which the endpoint receives it.
    number bigint not null,
    id uuid not null,
    message_id text not null,
    event_type text not null,
    trigger text not null check (trigger in ('change', 'test', 'replay')),
    payload text not null,
    status text not null check (status in ('pending', 'delivered', 'failed')),
    attempts integer not null default 0,
    -- Of the last attempt.
    response_status integer,
    response_body text,
    problem text,
    duration_ms integer,
    attempted_at timestamptz,
    created_at timestamptz not null,
    primary key (user_id, endpoint_id, number),
    unique (user_id, id),
    foreign key (user_id, endpoint_id) references webhook_endpoints on delete cascade
  );
  -- A change is sent under one id.
  create unique index webhook_deliveries_message_idx on webhook_deliveries (user_id, endpoint_id, message_id)
    where trigger = 'change';
  create index webhook_deliveries_pending_idx on webhook_deliveries (user_id, endpoint_id, number)
    where status = 'pending';
`;
