/** What follows from bank data: a record for each day, its earlier values, and the log of all changes. */
export const BALANCES = `
  -- One record per account and day. What the balance engine promises is repeated here as checks.
  create table balances (
    user_id uuid not null,
    account_id uuid not null,
    date date not null,
    id uuid not null default gen_random_uuid(),
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    -- 1: inflows raise the balance. -1: they lower it, as of a debt.
    flows_factor smallint not null check (flows_factor in (1, -1)),
    -- False: the account consists of holdings alone.
    has_cash boolean not null,
    start_cash bigint not null,
    start_non_cash bigint not null,
    cash_inflows bigint not null check (cash_inflows >= 0),
    cash_outflows bigint not null check (cash_outflows >= 0),
    non_cash_inflows bigint not null check (non_cash_inflows >= 0),
    non_cash_outflows bigint not null check (non_cash_outflows >= 0),
    net_market_flows bigint not null,
    cash_adjustments bigint not null,
    non_cash_adjustments bigint not null,
    end_cash bigint not null,
    end_non_cash bigint not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (user_id, account_id, date),
    foreign key (user_id, account_id) references accounts on delete cascade,
    constraint balances_cash_reconciles
      check (end_cash = start_cash + (cash_inflows - cash_outflows) * flows_factor + cash_adjustments),
    constraint balances_non_cash_reconciles
      check (end_non_cash = start_non_cash + (non_cash_inflows - non_cash_outflows) * flows_factor
        + net_market_flows + non_cash_adjustments),
    constraint balances_no_cash_part check (has_cash or (start_cash = 0 and end_cash = 0
      and cash_inflows = 0 and cash_outflows = 0 and cash_adjustments = 0))
  );
  create unique index balances_id_key on balances (user_id, id);
  create unique index balances_list_idx on balances (user_id, date desc, account_id);
  create statistics balances_of_accounts (dependencies) on user_id, account_id from balances;

  -- The days on which each account has records: a row for each run of days in a row in one currency, so that a page is found
  -- without counting. An account that is re-denominated ends one run and begins another.
  create table balance_spans (
    user_id uuid not null,
    account_id uuid not null,
    currency text not null,
    first_date date not null,
    last_date date not null,
    primary key (user_id, account_id, first_date),
    foreign key (user_id, account_id) references accounts on delete cascade,
    check (first_date <= last_date)
  );

  -- Which days of a history are not certain, so that charts and sums need not derive it again to know.
  create table uncertain_days (
    user_id uuid not null,
    account_id uuid not null,
    start_date date not null,
    end_date date not null,
    level text not null check (level in ('estimated', 'unknown')),
    -- By how much the balance is more or less by the other explanation; null: unknown.
    doubt_minor bigint check (doubt_minor is null or (doubt_minor <> 0 and level = 'estimated')),
    primary key (user_id, account_id, start_date),
    foreign key (user_id, account_id) references accounts on delete cascade,
    check (end_date >= start_date)
  );

  -- What balances said before they were changed. One row is what one transaction replaced of one account: the days that
  -- changed with their values of before, in arrays, and the days that had no record. Current records carry nothing of it, so
  -- that storage grows with what changes.
  create table balance_versions (
    user_id uuid not null,
    account_id uuid not null,
    -- Of a revision, whose number is not known before the end of the transaction.
    batch_id uuid not null,
    part integer not null,
    reasons text[] not null,
    first_date date not null,
    last_date date not null,
    absent datemultirange not null,
    -- Null where all days were absent.
    currency text,
    flows_factor smallint,
    has_cash boolean,
    dates date[] not null,
    ids uuid[] not null,
    start_cash bigint[] not null,
    start_non_cash bigint[] not null,
    cash_inflows bigint[] not null,
    cash_outflows bigint[] not null,
    non_cash_inflows bigint[] not null,
    non_cash_outflows bigint[] not null,
    net_market_flows bigint[] not null,
    cash_adjustments bigint[] not null,
    non_cash_adjustments bigint[] not null,
    end_cash bigint[] not null,
    end_non_cash bigint[] not null,
    created_at timestamptz[] not null,
    updated_at timestamptz[] not null,
    primary key (user_id, account_id, batch_id, part),
    foreign key (user_id, account_id) references accounts on delete cascade
  );

  -- One log of changes for each person. Transactions write it themselves, since triggers with transition tables do not exist
  -- on a distributed PostgreSQL, and take their number last, so that nobody waits for another's transaction.

  -- The newest number of each person. Every change updates it: there is room for that on its page.
  create table user_revisions (
    user_id uuid primary key references users on delete cascade,
    revision bigint not null,
    -- Of the newest change of accounts, transactions, holdings or balances.
    records_revision bigint not null,
    -- What was before it is not in the log any more.
    floor bigint not null default 0,
    moved_at timestamptz not null
  ) with (fillfactor = 50);

  create table revisions (
    user_id uuid not null references user_revisions on delete cascade,
    revision bigint not null,
    committed_at timestamptz not null,
    -- Of what it replaced in balance_versions.
    batch_id uuid,
    primary key (user_id, revision)
  );
  create unique index revisions_batch_key on revisions (user_id, batch_id) where batch_id is not null;

  create table changes (
    user_id uuid not null references user_revisions on delete cascade,
    revision bigint not null,
    part integer not null,
    kind text not null,
    -- What has happened to a record, besides that it has changed.
    event text,
    account_id uuid,
    from_date date,
    to_date date,
    ids uuid[],
    primary key (user_id, revision, part)
  );

  -- How far modules have heard of the changes of each person.
  create table module_cursors (
    user_id uuid not null references users on delete cascade,
    module text not null,
    revision bigint not null,
    primary key (user_id, module)
  );

  -- Another one after a restore: the numbers in cursors from before stand for other changes.
  create table feed_epoch (
    is_only boolean primary key default true check (is_only),
    epoch uuid not null default gen_random_uuid()
  );
  insert into feed_epoch default values;
`;
