import { join } from 'node:path';
import { startScriptedServer, type ScriptedServer } from '../../support/scripted-server.js';
import { type InstantBank, startInstantBank } from '../../support/instant-bank.js';
import { DrillPostgres } from './postgres.js';
import type { DrillProcess } from './processes.js';
import { RunFolder } from './run-folder.js';
import { DrillService, runCli } from './service.js';

const MAX_CONNECTIONS = 300;

/** What a drill works with. Everything it starts ends with {@link DrillContext.end}, or with this process. */
export class DrillContext {
  readonly folder = RunFolder.create();
  readonly #processes: DrillProcess[] = [];
  readonly #onEnd: (() => Promise<void> | void)[] = [];
  #servers = 0;

  /** @param progress says what happens */
  constructor(readonly progress: (text: string) => void) {}

  async startPostgres(maxConnections = MAX_CONNECTIONS): Promise<DrillPostgres> {
    const server = await DrillPostgres.start(join(this.folder.path, `server-${++this.#servers}`), maxConnections);
    this.onEnd(() => server.close());
    return server;
  }

  /** An instance on the drill's own server. */
  startService(postgres: DrillPostgres, settings: NodeJS.ProcessEnv = {}): Promise<DrillService> {
    return this.startServiceWith({ DATABASE_URL: postgres.url, ...settings });
  }

  /** An instance with the embedded PostgreSQL, unless the settings name another. */
  async startServiceWith(settings: NodeJS.ProcessEnv): Promise<DrillService> {
    const service = await DrillService.start(this.folder, settings);
    this.#processes.push(service.process);
    return service;
  }

  runCli(postgres: DrillPostgres, ...args: string[]): Promise<unknown> {
    return runCli(this.folder, { DATABASE_URL: postgres.url }, ...args);
  }

  /** A provider on loopback that answers as the drill says. */
  async startProvider(): Promise<ScriptedServer> {
    const server = await startScriptedServer();
    this.onEnd(() => server.stop());
    return server;
  }

  /** A US provider on loopback that answers at once, each of its users with some small accounts. */
  async startBank(accounts: number): Promise<InstantBank> {
    const bank = await startInstantBank(new Date().toISOString().slice(0, 10), accounts);
    this.onEnd(() => bank.server.stop());
    return bank;
  }

  /** Called at the end, the newest first. */
  onEnd(clean: () => Promise<void> | void): void {
    this.#onEnd.unshift(clean);
  }

  async end(): Promise<void> {
    await Promise.all(this.#processes.map((started) => started.kill()));
    for (const clean of this.#onEnd) await clean();
    this.folder.close();
  }
}
