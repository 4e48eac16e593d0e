import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { type Finished, Running } from '../support/run-process.js';
import { throwawayFolder } from '../support/throwaway-folder.js';

const TIMEOUT_MS = 900_000;

/** The next version of the module: its notes know when they were written. */
const MIGRATION = `
export class Migration20270101000000AccountNotesAt extends Migration {
  override up(): void {
    this.addSql('alter table account_notes add column written_at timestamptz not null default now()');
  }
}
`;

/** The commands in the README of an example, block by block. */
function commandsOf(example: string): string[][] {
  const text = readFileSync(join('examples', example, 'README.md'), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block.trim().split('\n'));
  return blocks.map((lines) => lines.map((line) => line.replace(/\s+#.*/, '')));
}

/** An author has no programs of this clone. */
const PATH = process.env
  .PATH!.split(delimiter)
  .filter((folder) => !folder.endsWith('.bin'))
  .join(delimiter);

describe('a module in a package of its own', () => {
  let folder: string;
  let installation: string;
  let environment: NodeJS.ProcessEnv;
  const started: Running[] = [];
  afterAll(async () => {
    for (const one of started) one.signalGroup('SIGKILL');
    await Promise.all(started.map(({ finished }) => finished));
  });

  function shell(command: string, cwd: string): string {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd, env: environment, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}${stdout}`);
    return stdout;
  }

  function cli(command: string): Record<string, unknown> {
    return JSON.parse(shell(`npx tidemark ${command}`, installation));
  }

  /** Copies an example beside the packed Tidemark, and does what its README says first. */
  function build(example: string): string {
    const copy = join(folder, example);
    cpSync(join('examples', example), copy, { recursive: true });
    copyFileSync(join(folder, 'tidemark-1.0.0.tgz'), join(copy, 'tidemark-1.0.0.tgz'));
    shell(commandsOf(example)[0]!.join(' && '), copy);
    return copy;
  }

  async function serve(command = 'npm start'): Promise<{ url: string; stop: () => Promise<Finished> }> {
    const service = new Running(spawn('sh', ['-c', command], { cwd: installation, env: environment, detached: true }));
    started.push(service);
    const [, url = ''] = await service.line(/^listening on (.*)$/m);
    return {
      url,
      stop: () => {
        service.signalGroup('SIGTERM');
        return service.finished;
      },
    };
  }

  it(
    'a module and a provider are tested and packed as their READMEs say; the module is installed, served, upgraded and removed',
    async () => {
      folder = await throwawayFolder('module');
      // PostgreSQL refuses to run as root, and another user has to reach its programs.
      chmodSync(folder, 0o755);
      installation = join(folder, 'installation');
      const { HOME } = process.env;
      environment = { PATH, HOME, DATA_DIR: join(folder, 'data'), PORT: '0', SYNC_CRON: 'off' };
      shell('node_modules/.bin/tsc -p tsconfig.kit.json', resolve('.'));
      shell(`npm pack --ignore-scripts --pack-destination ${folder}`, resolve('.'));
      build('provider');
      const module = build('module');

      mkdirSync(installation);
      for (const file of ['tidemark-1.0.0.tgz', 'tidemark-account-notes-1.0.0.tgz'])
        copyFileSync(join(module, file), join(installation, file));
      const [, commands = []] = commandsOf('module');
      const first = await serve(commands.slice(0, -1).join(' && '));
      expect(commands.at(-1)).toBe('npx tidemark modules:list');
      expect(cli('modules:list')).toMatchObject({
        modules: expect.arrayContaining([{ name: 'account-notes', needs: '^1.0', installed: true, migrations: 1 }]),
      });
      cli('user:create --email ann@example.com --password "correct horse battery"');
      const scopes = 'notes:read,notes:write,accounts:read,accounts:write';
      const { key } = cli(`key:create --email ann@example.com --name test --scopes ${scopes}`);
      const ask = async (url: string, path: string, method = 'GET', body?: object) => {
        const headers = { 'X-Api-Key': String(key), 'Content-Type': 'application/json' };
        const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
        return (await response.json()) as Record<string, string>;
      };
      const account = { name: 'House', account_type: 'property', currency: 'EUR' };
      const { id } = await ask(first.url, '/api/v1/accounts', 'POST', account);
      const note = `/api/v1/accounts/${id}/note`;
      expect(await ask(first.url, note, 'PUT', { text: 'For the roof.' })).toEqual({ text: 'For the roof.' });
      await first.stop();

      const index = join(module, 'src', 'account-notes.ts');
      appendFileSync(join(module, 'src', 'account-note.ts'), MIGRATION);
      const upgraded = readFileSync(index, 'utf8')
        .replace('import { AccountNote, ', 'import { AccountNote, Migration20270101000000AccountNotesAt, ')
        .replace('AccountNotes],', 'AccountNotes, Migration20270101000000AccountNotesAt],');
      writeFileSync(index, upgraded);
      shell('npm version 1.1.0 --no-git-tag-version && npm run build && npm pack', module);
      shell(`npm install ${join(module, 'tidemark-account-notes-1.1.0.tgz')}`, installation);
      const second = await serve();
      expect(await ask(second.url, note)).toEqual({ text: 'For the roof.' });
      expect(cli('modules:list')).toMatchObject({
        modules: expect.arrayContaining([{ name: 'account-notes', needs: '^1.0', installed: true, migrations: 2 }]),
      });
      await second.stop();

      expect(cli('modules:remove account-notes --yes account-notes')).toMatchObject({ rows: 1 });
      expect(readFileSync(join(installation, 'account-notes-removed.ndjson'), 'utf8')).toContain('For the roof.');
      rmSync(join(installation, 'tidemark.config.mjs'));
      const third = await serve();
      expect((await fetch(third.url + note, { headers: { 'X-Api-Key': String(key) } })).status).toBe(404);
      await third.stop();
    },
    TIMEOUT_MS,
  );
});
