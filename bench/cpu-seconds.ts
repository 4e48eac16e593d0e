import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type pg from 'pg';
import type { Server } from './servers.js';

export interface CpuParts {
  servers: number;
  database: number;
  /** Of this process. */
  bench: number;
}

/** How many seconds of processor time everybody who takes part has used; of Linux only. */
export class CpuSeconds {
  private constructor(
    private readonly servers: readonly Server[],
    private readonly postmaster: number,
    private readonly ticksPerSecond: number,
  ) {}

  static async of(servers: readonly Server[], client: pg.Client): Promise<CpuSeconds> {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const { parent } = await statOf(rows[0]!.pid);
    const { stdout } = await promisify(execFile)('getconf', ['CLK_TCK']);
    return new CpuSeconds(servers, parent, Number(stdout));
  }

  async now(): Promise<CpuParts> {
    const all = await allStats();
    const servers = new Set(this.servers.map(({ pid }) => pid));
    let [ofServers, ofDatabase] = [0, 0];
    for (const stat of all) {
      if (servers.has(stat.pid)) ofServers += stat.own;
      if (stat.parent === this.postmaster) ofDatabase += stat.own;
      // Sessions that have ended count for their parent.
      if (stat.pid === this.postmaster) ofDatabase += stat.own + stat.ended;
    }
    const { user, system } = process.cpuUsage();
    return {
      servers: ofServers / this.ticksPerSecond,
      database: ofDatabase / this.ticksPerSecond,
      bench: (user + system) / 1e6,
    };
  }
}

/** Seconds of processor time of a process and of everything that it has started, since its start. */
export async function cpuSecondsOfTree(root: number): Promise<number> {
  const { stdout } = await promisify(execFile)('getconf', ['CLK_TCK']);
  const all = await allStats();
  const tree = new Set([root]);
  // A process may have a lower id than the one that started it, so until nothing is added.
  for (let size = 0; size < tree.size;) {
    size = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  const ticks = all.filter(({ pid }) => tree.has(pid)).reduce((sum, { own, ended }) => sum + own + ended, 0);
  return ticks / Number(stdout);
}

/** Seconds of processor time of the children of this process that have ended. */
export async function secondsOfEndedChildren(): Promise<number> {
  const { stdout } = await promisify(execFile)('getconf', ['CLK_TCK']);
  return (await statOf(process.pid)).ended / Number(stdout);
}

interface Stat {
  pid: number;
  parent: number;
  /** Ticks of the process itself, and of its children that have ended. */
  own: number;
  ended: number;
}

async function statOf(pid: number): Promise<Stat> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number) as [number, number, number, number];
  return { pid, parent: Number(fields[1]), own: user + system, ended: endedUser + endedSystem };
}

/** Of all processes. */
async function allStats(): Promise<Stat[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return (await Promise.all(names.map(maybeStatOf))).filter((stat) => stat !== null);
}

/** @returns `null` when the process has ended meanwhile */
async function maybeStatOf(name: string): Promise<Stat | null> {
  return statOf(Number(name)).catch(() => null);
}
