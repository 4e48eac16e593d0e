import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs as a process of its own until its standard input ends, which happens however this process ends. Then it kills
 * every recorded process group and every PostgreSQL server of the folder, and removes the folder.
 */
const CLEAN_UP = `
cat
for entry in "$1"/groups/*; do kill -KILL "-$(basename "$entry")"; done
find "$1" -name postmaster.pid | while read -r file; do
  pid=$(head -n 1 "$file")
  if [ ! -d /proc ] || grep -qaF "$1" "/proc/$pid/cmdline"; then
    kill -CONT "$pid"
    kill -QUIT "$pid"
    while kill -0 "$pid"; do sleep 0.1; done
  fi
done
rm -rf "$1"`;

/** A temporary folder for all files of one drill. Whatever runs in it ends with this process, even when that is killed. */
export class RunFolder {
  private constructor(
    readonly path: string,
    private readonly cleaner: Socket,
  ) {}

  static create(): RunFolder {
    const path = realpathSync(mkdtempSync(join(tmpdir(), 'tidemark-drill-')));
    mkdirSync(join(path, 'groups'));
    const cleaner = spawn('sh', ['-c', CLEAN_UP, 'sh', path], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    cleaner.on('error', () => undefined);
    cleaner.unref();
    const input = cleaner.stdin as Socket;
    input.unref();
    return new RunFolder(path, input);
  }

  /** The process group is killed at the end. */
  recordGroup(id: number): void {
    writeFileSync(join(this.path, 'groups', String(id)), '');
  }

  /** Starts the cleaning up now. The folder is gone some moments later. */
  close(): void {
    this.cleaner.end();
  }
}
