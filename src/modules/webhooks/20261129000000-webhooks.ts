import { Migration } from '@mikro-orm/migrations';

export class Migration20261129000000Webhooks extends Migration {
  override up(): void {
    this.addSql(`
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
        -- The attempt under way, whose answer counts.
        attempt_id uuid,
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
    `);
  }
}
