import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { throwawayFolder } from '../../support/throwaway-folder.js';

const KIT = pathToFileURL(resolve('dist/src/kit.js')).href;
const MODULE = `{
  name: 'hello',
  needs: '^1.0',
  commands: { 'hello:world': { summary: 'Say hello', options: {}, run: () => Promise.resolve({ said: 'hello' }) } },
}`;

describe('tidemark.config.mjs', () => {
  /** Runs a command in a folder with this configuration. */
  async function run(configuration: string): Promise<{ status: number | null; stdout: string; stderr: string }> {
    const cwd = await throwawayFolder('configured');
    writeFileSync(
      join(cwd, 'tidemark.config.mjs'),
      `import { defineConfig, defineModule } from '${KIT}';\n${configuration}`,
    );
    const { PATH, HOME } = process.env;
    return spawnSync(process.execPath, [resolve('dist/src/cli.js'), 'hello:world'], {
      cwd,
      env: { PATH, HOME },
      encoding: 'utf8',
    });
  }

  it('the command line has the commands of a module that tidemark.config.mjs lists', async () => {
    const { status, stdout } = await run(`export default defineConfig({ modules: [defineModule(${MODULE})] });`);
    expect([status, JSON.parse(stdout)]).toEqual([0, { said: 'hello' }]);
  });

  it.each([
    [
      'no default export',
      `export const modules = [];`,
      /tidemark\.config\.mjs must have a default export with modules: \[ … \], or with providers: \[ … \]\.\n$/,
    ],
    [
      'a module of another copy of Tidemark',
      `export default { modules: [${MODULE}] };`,
      /^hello is not made by defineModule or defineProvider of this Tidemark/,
    ],
  ])('a tidemark.config.mjs with %s ends the start with one sentence', async (_, configuration, sentence) => {
    const { status, stderr } = await run(configuration);
    expect([status, stderr.trim().split('\n').length]).toEqual([78, 1]);
    expect(stderr).toMatch(sentence);
  });
});
