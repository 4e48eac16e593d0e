import { Migration } from '@mikro-orm/migrations';

/**
 * The first tables. Every table that belongs to a person carries `user_id` and its keys begin with it, so that rows of
 * one person lie together and the tables can be distributed by user on a sharded PostgreSQL.
 *
 * Money is `bigint` in the currency's minor unit. What the balance engine promises is repeated here as CHECKs.
 */
export class Migration20261121000000Foundation extends Migration {
  override up(): void {
    this.addSql(`
      create table users (
        id uuid primary key,
        email text not null,
        password_hash text not null,
        time_zone text not null default 'UTC',
        created_at timestamptz not null default now()
      )`);
    this.addSql(`create unique index users_email_key on users (lower(email))`);

    this.addSql(`
      create table api_keys (
        user_id uuid not null references users on delete cascade,
        id uuid not null,
        name text not null,
        scopes text[] not null,
        key_hash bytea not null,
        hint text not null,
        expires_at timestamptz,
        revoked_at timestamptz,
        last_used_at timestamptz,
        created_at timestamptz not null default now(),
        primary key (user_id, id)
      )`);
    this.addSql(`create index api_keys_hash_idx on api_keys (key_hash)`);

    this.addSql(`
      create table connections (
        user_id uuid not null references users on delete cascade,
        id uuid not null,
        provider text not null,
        name text not null,
        status text not null default 'active' check (status in ('active', 'attention_required')),
        status_reason text,
        credential text not null,
        credential_fingerprint text not null,
        include_pending boolean not null default true,
        history_days integer not null default 730 check (history_days between 1 and 3650),
        last_synced_at timestamptz,
        next_sync_at timestamptz,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        primary key (user_id, id),
        unique (user_id, provider, credential_fingerprint)
      )`);
    this.addSql(`create index connections_due_idx on connections (next_sync_at) where status = 'active'`);

    this.addSql(`
      create table accounts (
        user_id uuid not null references users on delete cascade,
        id uuid not null,
        connection_id uuid,
        provider text not null,
        external_id text not null,
        name text not null,
        name_chosen boolean not null default false,
        institution text,
        currency text,
        account_type text check (account_type in ('depository', 'credit_card', 'loan', 'investment', 'crypto',
          'property', 'vehicle', 'other_asset', 'other_liability')),
        account_type_chosen boolean not null default false,
        status text not null default 'active' check (status in ('active', 'missing')),
        holdings_supported boolean,
        complete_until date,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        primary key (user_id, id),
        unique (user_id, connection_id, external_id),
        foreign key (user_id, connection_id) references connections on delete set null (connection_id)
      )`);

    this.addSql(`
      create table transactions (
        user_id uuid not null,
        account_id uuid not null,
        id uuid not null default gen_random_uuid(),
        external_id text not null,
        date date not null,
        amount_minor bigint not null,
        currency text not null,
        description text not null,
        merchant text,
        pending boolean not null,
        hold_external_id text,
        missing_since timestamptz,
        first_seen_at timestamptz not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        primary key (user_id, account_id, id),
        unique (user_id, account_id, external_id),
        foreign key (user_id, account_id) references accounts on delete cascade
      )`);
    this.addSql(`create index transactions_list_idx on transactions (user_id, date desc, account_id, id)`);

    this.addSql(`create index transactions_holds_idx on transactions (user_id, account_id) where pending`);
    this.addSql(`create index transactions_booked_holds_idx on transactions (user_id, account_id, hold_external_id)
      where hold_external_id is not null`);

    this.addSql(`
      create table observations (
        user_id uuid not null,
        account_id uuid not null,
        observed_at timestamptz not null,
        day date not null,
        balance_minor bigint not null,
        available_minor bigint,
        balance_date date,
        pending_minor bigint[] not null,
        has_holdings boolean not null,
        digest text not null,
        primary key (user_id, account_id, observed_at),
        foreign key (user_id, account_id) references accounts on delete cascade
      )`);

    this.addSql(`
      create table holdings (
        user_id uuid not null,
        account_id uuid not null,
        observed_at timestamptz not null,
        external_id text not null,
        symbol text,
        name text not null,
        quantity numeric not null,
        value_minor bigint not null,
        currency text not null,
        cost_basis_minor bigint,
        cash_equivalent boolean not null,
        primary key (user_id, account_id, observed_at, external_id),
        foreign key (user_id, account_id, observed_at) references observations on delete cascade
      )`);

    this.addSql(`
      create table balances (
        user_id uuid not null,
        account_id uuid not null,
        date date not null,
        id uuid not null default gen_random_uuid(),
        currency text not null check (currency ~ '^[A-Z]{3}$'),
        flows_factor smallint not null check (flows_factor in (1, -1)),
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
      )`);
    this.addSql(`create unique index balances_list_idx on balances (user_id, date desc, account_id)`);
    this.addSql(`create unique index balances_id_key on balances (user_id, id)`);

    this.addSql(`
      create table sync_runs (
        user_id uuid not null references users on delete cascade,
        id uuid not null,
        connection_id uuid,
        trigger text not null check (trigger in ('first', 'person', 'schedule', 'rebuild')),
        status text not null check (status in ('queued', 'running', 'succeeded', 'partial', 'failed', 'cancelled')),
        step text not null,
        accounts_done integer not null default 0,
        accounts_total integer,
        transactions_added integer not null default 0,
        transactions_updated integer not null default 0,
        transactions_removed integer not null default 0,
        balances_written integer not null default 0,
        problems jsonb not null default '[]',
        queued_at timestamptz not null,
        started_at timestamptz,
        finished_at timestamptz,
        primary key (user_id, id),
        foreign key (user_id, connection_id) references connections on delete set null (connection_id)
      )`);
    this.addSql(`
      create table provider_requests (
        user_id uuid not null,
        connection_id uuid not null,
        sent_at timestamptz not null,
        foreign key (user_id, connection_id) references connections on delete cascade
      )`);
    this.addSql(`create index provider_requests_idx on provider_requests (user_id, connection_id, sent_at desc)`);

    this.addSql(`create unique index sync_runs_one_open_idx on sync_runs (user_id, connection_id)
      where status in ('queued', 'running')`);
    this.addSql(`create index sync_runs_list_idx on sync_runs (user_id, queued_at desc, id)`);
  }

  override down(): void {
    for (const table of [
      'provider_requests',
      'sync_runs',
      'balances',
      'holdings',
      'observations',
      'transactions',
      'accounts',
      'connections',
      'api_keys',
      'users',
    ]) {
      this.addSql(`drop table ${table}`);
    }
  }
}
