/** What comes in from banks: connections, accounts, and what was reported of them. It is never rewritten. */
export const BANK_DATA = `
  -- A person's access to a provider.
  create table connections (
    user_id uuid not null references users on delete cascade,
    id uuid not null,
    provider text not null,
    name text not null,
    status text not null default 'active' check (status in ('active', 'attention_required')),
    -- Why a person is needed, and what to do.
    status_reason text,
    -- Sealed. Empty: the provider has not answered to what was pasted yet, or the secret that sealed it is lost.
    credential text not null,
    -- Identifies the credential without unsealing it.
    credential_fingerprint text not null,
    -- Of what a person pasted last, and when, so that one single-use code is never spent twice. Null: it may be pasted again.
    pasted_fingerprint text,
    pasted_at timestamptz,
    credential_since timestamptz not null default now(),
    -- Of the protocol, as the provider's server reports them; null: not asked yet.
    server_versions text[],
    -- Up to where the provider's changes are stored; null: everything is asked for.
    cursor text,
    -- The provider's own id of the access, by which its pushes name it.
    external_id text,
    -- When the person's consent at the bank ends; null: not known, or never.
    access_until timestamptz,
    include_pending boolean not null default true,
    history_days integer not null default 730 check (history_days between 1 and 3650),
    last_synced_at timestamptz,
    -- Null: at once.
    next_sync_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (user_id, id),
    unique (user_id, provider, credential_fingerprint),
    unique (user_id, provider, pasted_fingerprint)
  );
  create index connections_due_idx on connections (next_sync_at) where status = 'active';
  create index connections_pushed_idx on connections (provider, external_id) where external_id is not null;

  -- Requests sent to a provider, for its limits of a day. Without a key: one moment may have several.
  create table provider_requests (
    user_id uuid not null,
    connection_id uuid not null,
    sent_at timestamptz not null,
    foreign key (user_id, connection_id) references connections on delete cascade
  );
  create index provider_requests_idx on provider_requests (user_id, connection_id, sent_at desc);

  create table accounts (
    user_id uuid not null references users on delete cascade,
    id uuid not null,

    -- From the provider. Null: its connection was deleted, and the account stays and is no longer synced.
    connection_id uuid,
    provider text not null,
    -- Unique within the connection only.
    external_id text not null,
    status text not null default 'active' check (status in ('active', 'missing')),
    institution text,
    -- ISO 4217, the provider's own text if it is no such code, or null while unknown.
    currency text,
    -- The newest balance as decimal text, while the currency has no minor unit.
    unsupported_balance text,

    -- No sync overwrites what a person has chosen.
    name text not null,
    name_chosen boolean not null default false,
    account_type text check (account_type in ('depository', 'credit_card', 'loan', 'investment', 'crypto',
      'property', 'vehicle', 'other_asset', 'other_liability')),
    account_type_chosen boolean not null default false,
    -- The last day of its history, set by a person.
    closed_on date,
    include_in_net_worth boolean not null default true,
    hidden boolean not null default false,

    -- How its feed behaves, each null until it is known or where nothing is wrong: how it writes the days of transactions,
    -- whether it lists holdings (requested anew on a day), since when its transactions have the opposite sign, and the date of
    -- its newest balance where it brings nothing new.
    dates_as text check (dates_as in ('days', 'instants')),
    holdings_supported boolean,
    holdings_retry_on date,
    transactions_reversed_since timestamptz,
    stale_since date,

    -- The days of which its list of transactions is whole, in the person's timezone.
    covered datemultirange not null default '{}',
    history_asked_at timestamptz,

    -- Of its last answer. Null: the next one is compared with what is stored.
    answer_digest text,

    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (user_id, id),
    unique (user_id, connection_id, external_id),
    foreign key (user_id, connection_id) references connections on delete set null (connection_id)
  );

  -- Nothing of a deleted account stays but what keeps its connection from bringing it back.
  create table deleted_accounts (
    user_id uuid not null,
    connection_id uuid not null,
    external_id text not null,
    account_id uuid not null,
    name text not null,
    deleted_at timestamptz not null,
    primary key (user_id, connection_id, external_id),
    foreign key (user_id, connection_id) references connections on delete cascade
  );

  -- Pairs of accounts that a person said are not the same.
  create table accounts_kept_apart (
    user_id uuid not null,
    account_id uuid not null,
    other_account_id uuid not null,
    created_at timestamptz not null default now(),
    primary key (user_id, account_id, other_account_id),
    foreign key (user_id, account_id) references accounts on delete cascade,
    foreign key (user_id, other_account_id) references accounts on delete cascade
  );
  create index accounts_kept_apart_other_idx on accounts_kept_apart (user_id, other_account_id);

  -- The list of each account as it is now.
  create table transactions (
    user_id uuid not null,
    account_id uuid not null,
    id uuid not null default gen_random_uuid(),
    external_id text not null,
    -- Who has listed it: the bank, a file or a person.
    source text not null default 'bank' check (source in ('bank', 'file', 'person')),
    -- Posted: the posting day. Pending: the day it was made.
    date date not null,
    -- With the sign of the list; of a file or a person, and where a person has corrected it, money in is positive.
    amount_minor bigint not null,
    -- As listed, where a person has corrected it. Null: date and amount_minor are.
    listed_date date,
    listed_minor bigint,
    -- A person has said that it does not count.
    excluded boolean not null default false,
    note text,
    currency text not null,
    description text not null,
    merchant text,
    -- Authorised but not posted: shown, never counted.
    pending boolean not null,
    -- The id it had while pending, if it was posted under another.
    hold_external_id text,
    -- Pending only: when a complete answer first omitted it.
    missing_since timestamptz,
    first_seen_at timestamptz not null,
    -- Since when it is listed with its present date, amount and texts; null: since it was first seen.
    listed_from timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (user_id, account_id, id),
    unique (user_id, account_id, external_id),
    foreign key (user_id, account_id) references accounts on delete cascade
  );
  create unique index transactions_id_key on transactions (user_id, id);
  create index transactions_list_idx on transactions (user_id, date desc, account_id, id);
  create index transactions_holds_idx on transactions (user_id, account_id) where pending;
  create index transactions_booked_holds_idx on transactions (user_id, account_id, hold_external_id)
    where hold_external_id is not null;
  -- Of what files and people say, which is nothing of most accounts: each derivation asks whether there is any.
  create index transactions_said_idx on transactions (user_id, account_id)
    where source <> 'bank' or listed_date is not null or listed_minor is not null or excluded or note is not null;
  -- These statistics tell the planner that an account is of one user, here and below. Else it takes the two for independent,
  -- expects no row of an account that has thousands, and reads and sorts all of them for a page of 25.
  create statistics transactions_of_accounts (dependencies) on user_id, account_id from transactions;

  -- What banks listed before they changed or withdrew it. Never updated.
  create table transaction_versions (
    user_id uuid not null,
    account_id uuid not null,
    id uuid not null default gen_random_uuid(),
    -- A withdrawn transaction has versions only, so this is no foreign key.
    transaction_id uuid not null,
    external_id text not null,
    date date not null,
    amount_minor bigint not null,
    currency text not null,
    description text not null,
    merchant text,
    hold_external_id text,
    listed_from timestamptz not null,
    listed_until timestamptz not null,
    reason text not null check (reason in ('changed', 'reissued', 'withdrawn', 'merged')),
    -- The transaction in its place, if known.
    replaced_by uuid,
    -- Of the transaction, for one that is listed again after it was withdrawn.
    first_seen_at timestamptz not null,
    transaction_created_at timestamptz not null,
    primary key (user_id, account_id, id),
    foreign key (user_id, account_id) references accounts on delete cascade
  );
  create index transaction_versions_transaction_idx on transaction_versions (user_id, transaction_id, listed_until);
  create statistics transaction_versions_of_accounts (dependencies) on user_id, account_id from transaction_versions;

  -- What a provider reported of an account at one time. Histories are derived from it.
  create table observations (
    user_id uuid not null,
    account_id uuid not null,
    -- Tells the order of reports of one moment; an account that takes over the reports of another has such.
    number bigint generated by default as identity,
    observed_at timestamptz not null,
    -- Of observed_at, in the time zone of the person.
    day date not null,
    -- A report keeps its currency when the account is re-denominated.
    currency text not null,
    -- With the provider's own sign.
    balance_minor bigint not null,
    available_minor bigint,
    balance_date date,
    -- Of the pending transactions in the same answer.
    pending_minor bigint[] not null,
    -- Whether the answer listed the holdings; perhaps none.
    has_holdings boolean not null,
    -- The provider's own total of the holdings, converted at its own rates.
    holdings_total_minor bigint,
    holdings_total_currency text,
    -- Of the whole report: an equal one of the same day is not stored again.
    digest text not null,
    -- Moments, days and dates of later equal reports, whose rows were removed.
    repeated_at timestamptz[],
    repeated_days date[],
    repeated_balance_dates date[],
    primary key (user_id, account_id, number),
    foreign key (user_id, account_id) references accounts on delete cascade,
    constraint observations_holdings_total
      check ((holdings_total_minor is null) = (holdings_total_currency is null)),
    constraint observations_repeated check (
      cardinality(repeated_days) is not distinct from cardinality(repeated_at)
      and cardinality(repeated_balance_dates) is not distinct from cardinality(repeated_at)
    )
  );
  create index observations_order_idx on observations (user_id, account_id, observed_at);
  create statistics observations_of_accounts (dependencies) on user_id, account_id from observations;

  -- Every report as a row, also the repeated ones; its number is that of the report whose holdings are theirs.
  create view reports as
    select o.user_id, o.account_id, moment.observed_at, moment.day, moment.balance_date, o.currency, o.balance_minor,
      o.available_minor, o.pending_minor, o.has_holdings, o.holdings_total_minor, o.holdings_total_currency,
      o.number
    from observations o cross join lateral (
      select o.observed_at, o.day, o.balance_date
      union all
      select * from unnest(o.repeated_at, o.repeated_days, o.repeated_balance_dates)
    ) moment (observed_at, day, balance_date);

  -- The positions of a report. They follow it when two accounts turn out to be one and their reports move.
  create table holdings (
    user_id uuid not null,
    account_id uuid not null,
    report_number bigint not null,
    external_id text not null,
    symbol text,
    name text not null,
    quantity numeric not null,
    price numeric,
    value_minor bigint not null,
    currency text not null,
    cost_basis_minor bigint,
    cash_equivalent boolean not null,
    primary key (user_id, account_id, report_number, external_id),
    foreign key (user_id, account_id, report_number) references observations on update cascade on delete cascade
  );
  create statistics holdings_of_accounts (dependencies) on user_id, account_id from holdings;
`;
