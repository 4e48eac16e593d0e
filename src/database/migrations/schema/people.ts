/** People, how they sign in, the keys of their programs, and what is answered once. */
export const PEOPLE = `
  create table users (
    id uuid primary key,
    email text not null,
    -- Argon2id.
    password_hash text not null,
    -- IANA name: decides which day it is for the person.
    time_zone text not null default 'UTC',
    theme text not null default 'system',
    number_format text not null default 'en-US',
    -- When the person last looked at the overview, to some minutes; and when the visit before the present one ended.
    looked_at timestamptz,
    last_visit_at timestamptz,
    created_at timestamptz not null default now()
  );
  create unique index users_email_key on users (lower(email));

  -- Tokens are stored as hashes only, here and below: who reads the database cannot use them.
  create table sessions (
    user_id uuid not null references users on delete cascade,
    token_hash bytea not null,
    -- Names the session to the person, who may end it.
    id uuid not null default gen_random_uuid(),
    client_address text,
    device text,
    -- Dangerous actions ask for the password again after a while.
    password_given_at timestamptz,
    created_at timestamptz not null,
    last_seen_at timestamptz not null,
    expires_at timestamptz not null,
    primary key (user_id, token_hash)
  );
  create index sessions_token_idx on sessions (token_hash);

  -- Each lets one person sign up.
  create table invitations (
    -- Who invites.
    user_id uuid not null references users on delete cascade,
    token_hash bytea not null,
    expires_at timestamptz not null,
    primary key (user_id, token_hash)
  );
  create index invitations_token_idx on invitations (token_hash);

  -- Attempts to give a password, counted before it is checked.
  create table password_attempts (
    -- A hash of e-mail address and client together.
    key varchar(255) primary key,
    points integer not null default 0,
    -- Milliseconds since the epoch.
    expire bigint
  );
  create index password_attempts_expire_idx on password_attempts (expire);

  -- The authenticator app of a person.
  create table second_factors (
    user_id uuid not null references users on delete cascade,
    id uuid not null default gen_random_uuid(),
    -- The secret of the app, sealed.
    credential text not null,
    -- Null: it is being set up, and not asked for.
    confirmed_at timestamptz,
    -- The time step of the newest code that was accepted: none is accepted twice.
    last_used_step bigint not null default 0,
    created_at timestamptz not null,
    primary key (user_id, id),
    unique (user_id)
  );

  -- Each replaces a code of the app once.
  create table recovery_codes (
    user_id uuid not null references users on delete cascade,
    code_hash bytea not null,
    used_at timestamptz,
    created_at timestamptz not null,
    primary key (user_id, code_hash)
  );

  create table api_keys (
    user_id uuid not null references users on delete cascade,
    id uuid not null,
    name text not null,
    scopes text[] not null,
    -- The accounts that the key is limited to; null: all, also later ones. An account that is deleted stays named, so that
    -- a key never grows: without a name left it would be one for everything.
    account_ids uuid[] check (cardinality(account_ids) > 0),
    key_hash bytea not null,
    hint text not null,
    -- The text of before the last rotation is good for a while, or not at all.
    rotated_at timestamptz,
    previous_key_hash bytea,
    previous_valid_until timestamptz,
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    created_at timestamptz not null default now(),
    primary key (user_id, id),
    constraint api_keys_previous_check check ((previous_key_hash is null) = (previous_valid_until is null))
  );
  create index api_keys_hash_idx on api_keys (key_hash);
  create index api_keys_previous_idx on api_keys (previous_key_hash) where previous_key_hash is not null;

  -- Tells every instance whose keys have changed, so that a revoked key is worth nothing anywhere at once. A record has the
  -- columns of its own table only, and naming the other table's is an error even in a branch not taken: hence JSON.
  create function tell_api_key_news() returns trigger language plpgsql as $$
  begin
    perform pg_notify('api_keys', to_jsonb(old) ->> case tg_table_name when 'users' then 'id' else 'user_id' end);
    return null;
  end $$;
  create trigger api_keys_news after delete or update of scopes, expires_at, revoked_at on api_keys
    for each row execute function tell_api_key_news();
  create trigger api_keys_rotation_news after update of key_hash on api_keys
    for each row execute function tell_api_key_news();
  create trigger users_news after update of time_zone on users
    for each row execute function tell_api_key_news();

  -- Who signed in, from where, and what was done with keys, credentials and data.
  create table audit_events (
    user_id uuid not null references users on delete cascade,
    id uuid not null default gen_random_uuid(),
    -- Tells the order of events of one moment.
    number bigint generated by default as identity,
    occurred_at timestamptz not null,
    kind text not null,
    subject_id uuid,
    subject text,
    client_address text,
    device text,
    api_key_hint text,
    primary key (user_id, id)
  );
  create index audit_events_list_idx on audit_events (user_id, occurred_at desc, number desc);

  -- Refuses to change or remove an event. Exceptions: retention, which says so by a setting of its transaction, and the
  -- deletion of the person.
  create function keep_audit_events() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' then
      if current_setting('tidemark.purges_audit_events', true) = 'on' then return old; end if;
      if not exists (select 1 from users where id = old.user_id) then return old; end if;
    end if;
    raise exception 'audit events are only added: % is refused', tg_op using errcode = 'insufficient_privilege';
  end $$;
  create trigger audit_events_kept before update or delete on audit_events
    for each row execute function keep_audit_events();
  create trigger audit_events_not_truncated before truncate on audit_events
    for each statement execute function keep_audit_events();

  -- What is done once, with its answer: requests under their Idempotency-Key, for a day, and forms, for an hour.
  create table idempotency_keys (
    user_id uuid not null references users on delete cascade,
    -- Behind its owner and a blank, if it has one: an API key that is limited to accounts, or "form".
    key text not null,
    -- Of the request: the same key with another one is refused.
    fingerprint text not null,
    holder uuid not null,
    leased_until timestamptz not null,
    -- Set by the transactions of the request: it must not run again.
    has_committed boolean not null default false,
    -- Sealed. Null while there is none, and when that of a form was shown.
    answer text,
    expires_at timestamptz not null,
    primary key (user_id, key)
  );
`;
