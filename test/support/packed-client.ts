import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Puts the package of `client/` among the modules of a folder, as npm would install it. @returns the modules */
export async function installPackedClient(folder: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', resolve('client'), '--json', '--silent'], { cwd: folder });
  const tarball = /tidemark-client-[\d.]+\.tgz/.exec(stdout)![0];
  const modules = join(folder, 'node_modules');
  const place = join(modules, 'tidemark-client');
  mkdirSync(place, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', place, '--strip-components=1'], { cwd: folder });
  return modules;
}
