import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Why the code of a commit cannot be had here; `null`: it can. */
export function whyNoCode(commit: string): string | null {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { stdio: 'ignore' });
    return null;
  } catch {
    return `its commit ${commit.slice(0, 12)} is not in this clone (git fetch --unshallow)`;
  }
}

/**
 * Builds a release from its commit, with the packages of this version. What only a release needs is a development dependency:
 * 0.1.0 needs `rate-limiter-flexible`.
 *
 * @returns the folder that has its `dist`
 */
export function buildRelease(commit: string, parent: string): string {
  const folder = join(parent, commit);
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', commit], { maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  execFileSync(join(folder, 'node_modules/.bin/nest'), ['build'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  return folder;
}
