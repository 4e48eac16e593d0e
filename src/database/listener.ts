import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Config } from '../platform/config/config.js';
import { DATABASE_ADDRESS, type DatabaseAddress, directAddress } from './address.js';
import { BoundedClient, sessionConfig } from './sessions/bounded-client.js';

const RECONNECT_MS = 1_000;
/** A frozen server or a broken network closes no session, so only a query shows it. */
const HEARTBEAT_MS = 5_000;
const HEARTBEAT_TIMEOUT_MS = 5_000;

interface Subscriber {
  onMessage: (message: string) => void;
  /** Messages may have been lost, because the session was lost or has just begun. */
  onGap?: () => void;
}

/** Receives the `NOTIFY` messages of all instances in one session of this process. */
@Injectable()
export class DatabaseListener implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger(DatabaseListener.name);
  readonly #subscribers = new Map<string, Subscriber[]>();
  #client: pg.Client | null = null;
  #retry: NodeJS.Timeout | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #isClosing = false;
  #isListening = false;

  constructor(
    @Inject(DATABASE_ADDRESS) private readonly address: DatabaseAddress,
    private readonly config: Config,
  ) {}

  /** Whether messages arrive now. Caches that depend on messages are invalid otherwise. */
  get isListening(): boolean {
    return this.#isListening;
  }

  /** Call it before the application has started. */
  subscribe(channel: string, subscriber: Subscriber): void {
    this.#subscribers.set(channel, [...(this.#subscribers.get(channel) ?? []), subscriber]);
  }

  onApplicationBootstrap(): void {
    void this.#connect();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#heartbeat);
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const client: pg.Client = new BoundedClient({
      ...sessionConfig(directAddress(this.address), this.config.database),
      query_timeout: HEARTBEAT_TIMEOUT_MS,
    });
    this.#client = client;
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    client.on('notification', ({ channel, payload = '' }) => {
      for (const { onMessage } of this.#subscribers.get(channel) ?? []) onMessage(payload);
    });
    try {
      await client.connect();
      for (const channel of this.#subscribers.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      this.#isListening = true;
      this.#reportGap();
      this.#scheduleHeartbeat(client);
    } catch {
      this.#lost(client);
    }
  }

  #scheduleHeartbeat(client: pg.Client): void {
    this.#heartbeat = setTimeout(() => {
      client.query('select 1').then(
        () => this.#client === client && this.#scheduleHeartbeat(client),
        () => this.#lost(client),
      );
    }, HEARTBEAT_MS).unref();
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    clearTimeout(this.#heartbeat);
    this.#isListening = false;
    this.#reportGap();
    client.end().catch(() => undefined);
    if (this.#isClosing) return;
    this.#log.warn('Lost the database session with LISTEN; reconnecting.');
    this.#retry = setTimeout(() => void this.#connect(), RECONNECT_MS);
  }

  #reportGap(): void {
    for (const subscribers of this.#subscribers.values()) for (const { onGap } of subscribers) onGap?.();
  }
}

/** Sends a message to the `DatabaseListener` of every instance when the transaction of `em` commits. */
export async function notify(em: EntityManager, channel: string, message = ''): Promise<void> {
  await em
    .getKysely()
    .selectNoFrom((eb) => eb.fn('pg_notify', [eb.val(channel), eb.val(message)]).as('sent'))
    .execute();
}
