import { Migration } from '@mikro-orm/migrations';

/**
 * Addresses that are told of changes, and what they were told. Nothing is written for them by the transactions that change
 * something: each has a position in the change log and is told what comes after it. What has happened to a record, besides
 * that it has changed, the log says in a column of its own; a process of the version before leaves it empty.
 */
export class Migration20261126010000Webhooks extends Migration {
  override up(): void {
    this.addSql(`alter table changes add column event text`);
    this.addSql(`
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
      )`);
    this.addSql(`
      create table webhook_secrets (
        user_id uuid not null,
        id uuid not null,
        endpoint_id uuid not null,
        credential text not null,
        created_at timestamptz not null,
        -- Null: until it is rotated.
        expires_at timestamptz,
        primary key (user_id, id),
        foreign key (user_id, endpoint_id) references webhook_endpoints (user_id, id) on delete cascade
      )`);
    this.addSql(`create index webhook_secrets_endpoint_idx on webhook_secrets (user_id, endpoint_id)`);
    this.addSql(`
      create table webhook_deliveries (
        user_id uuid not null,
        endpoint_id uuid not null,
        -- The order in which an endpoint is told.
        number bigint not null,
        id uuid not null,
        message_id text not null,
        event_type text not null,
        trigger text not null check (trigger in ('change', 'test', 'replay')),
        payload text not null,
        status text not null check (status in ('pending', 'delivered', 'failed')),
        attempts integer not null default 0,
        response_status integer,
        response_body text,
        problem text,
        duration_ms integer,
        created_at timestamptz not null,
        attempted_at timestamptz,
        primary key (user_id, endpoint_id, number),
        unique (user_id, id),
        foreign key (user_id, endpoint_id) references webhook_endpoints (user_id, id) on delete cascade
      )`);
    // A change is told under one id.
    this.addSql(`
      create unique index webhook_deliveries_message_idx on webhook_deliveries (user_id, endpoint_id, message_id)
      where trigger = 'change'`);
    this.addSql(`
      create index webhook_deliveries_pending_idx on webhook_deliveries (user_id, endpoint_id, number)
      where status = 'pending'`);
  }

  override down(): void {
    this.addSql(`drop table webhook_deliveries`);
    this.addSql(`drop table webhook_secrets`);
    this.addSql(`drop table webhook_endpoints`);
    this.addSql(`alter table changes drop column event`);
  }
}
