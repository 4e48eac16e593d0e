import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { clientConfig, DATABASE_ADDRESS, type DatabaseAddress } from './address.js';

const RECONNECT_MS = 1_000;

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
  #client: pg.Client | null = null;
  #retry: NodeJS.Timeout | undefined;
  #isClosing = false;
  #isListening = false;

  constructor(@Inject(DATABASE_ADDRESS) private readonly address: DatabaseAddress) {}

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
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const client = new pg.Client(clientConfig(this.address));
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
    } catch {
      this.#lost(client);
    }
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
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
