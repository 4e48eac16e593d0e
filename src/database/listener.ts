import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { Config } from '../config/config.js';
import { DATABASE_ADDRESS, type DatabaseAddress, directAddress } from './address.js';
import { SessionClient } from './sessions/session-client.js';
import { sessionConfig } from './sessions/session-pool.js';

const RECONNECT_MS = 1_000;
/** A server that is frozen, or behind a broken network, closes nothing: only asking shows that it is gone. */
const HEARTBEAT_MS = 5_000;
const HEARTBEAT_TIMEOUT_MS = 5_000;

export interface Subscriber {
  hear: (message: string) => void;
  /** Messages may have been missed: the session was lost, or has just begun. */
  missed?: () => void;
}

/** One session of this process that hears what any instance says with `NOTIFY`. */
@Injectable()
export class DatabaseListener implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger(DatabaseListener.name);
  readonly #subscribers = new Map<string, Subscriber[]>();
  #client: SessionClient | null = null;
  #retry: NodeJS.Timeout | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #isClosing = false;
  #isListening = false;

  constructor(
    @Inject(DATABASE_ADDRESS) private readonly address: DatabaseAddress,
    private readonly config: Config,
  ) {}

  /** Whether every message of now is heard; what is remembered because of messages is worth nothing otherwise. */
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
    const client = new SessionClient({
      ...sessionConfig(directAddress(this.address), this.config.database),
      query_timeout: HEARTBEAT_TIMEOUT_MS,
    });
    this.#client = client;
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    client.on('notification', ({ channel, payload = '' }) => {
      for (const { hear } of this.#subscribers.get(channel) ?? []) hear(payload);
    });
    try {
      await client.connect();
      for (const channel of this.#subscribers.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      this.#isListening = true;
      this.#tellMissed();
      this.#scheduleHeartbeat(client);
    } catch {
      this.#lost(client);
    }
  }

  #scheduleHeartbeat(client: SessionClient): void {
    this.#heartbeat = setTimeout(() => {
      client.query('select 1').then(
        () => this.#client === client && this.#scheduleHeartbeat(client),
        () => this.#lost(client),
      );
    }, HEARTBEAT_MS).unref();
  }

  #lost(client: SessionClient): void {
    if (this.#client !== client) return;
    this.#client = null;
    clearTimeout(this.#heartbeat);
    this.#isListening = false;
    this.#tellMissed();
    client.end().catch(() => undefined);
    if (this.#isClosing) return;
    this.#logger.warn('The session that hears other instances was lost; it is opened again.');
    this.#retry = setTimeout(() => void this.#connect(), RECONNECT_MS);
  }

  #tellMissed(): void {
    for (const subscribers of this.#subscribers.values()) for (const { missed } of subscribers) missed?.();
  }
}
