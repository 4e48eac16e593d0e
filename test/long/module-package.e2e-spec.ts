import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Finished, Running } from '../support/run-process.js';
import { throwawayFolder } from '../support/throwaway-folder.js';
import { spawn } from 'node:child_process';

const TIMEOUT_MS = 900_000;

/** The next version of the module: its notes know when they were written. */
const MIGRATION = `
export class Migration20270101000000AccountNotesAt extends Migration {
  override up(): void {
    this.addSql('alter table account_notes add column written_at timestamptz not null default now()');
  }
}
`;

describe('a module in a package of its own', () => {
  let folder: string;
  let environment: NodeJS.ProcessEnv;
  const started: Running[] = [];
  afterAll(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all(started.map(({ finished }) => finished));
  });

  function command(program: string, args: string[], cwd = folder): string {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd, env: environment, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}${stdout}`);
    return stdout;
  }

  function cli(...args: string[]): Record<string, unknown> {
    return JSON.parse(command(process.execPath, [join('node_modules', 'tidemark', 'dist', 'src', 'cli.js'), ...args]));
  }

  /** Installs a packed file as npm does, with the packages of this clone for those of the registry. */
  function install(name: string, file: string): void {
    const target = join(folder, 'node_modules', name);
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    command('tar', ['-xzf', file, '--strip-components=1', '-C', target]);
  }

  /** Compiles, packs and installs the module. */
  function build(): void {
    const module = join(folder, 'module');
    command(process.execPath, [join(folder, 'node_modules', 'typescript', 'bin', 'tsc')], module);
    const [{ filename }] = JSON.parse(command('npm', ['pack', '--json', '--ignore-scripts'], module)) as [
      { filename: string },
    ];
    install('tidemark-account-notes', join(module, filename));
  }

  async function serve(): Promise<{ url: string; stop: () => Promise<Finished> }> {
    const main = join('node_modules', 'tidemark', 'dist', 'src', 'main.js');
    const service = new Running(spawn(process.execPath, [main], { cwd: folder, env: environment }));
    started.push(service);
    const [, url = ''] = await service.line(/^listening on (.*)$/m);
    return {
      url,
      stop: () => {
        service.child.kill('SIGTERM');
        return service.finished;
      },
    };
  }

  it(
    'a module is packed, installed into an empty folder, tested beside a provider, served, upgraded and removed',
    async () => {
      folder = await throwawayFolder('module');
      const { PATH, HOME } = process.env;
      environment = { PATH, HOME, DATA_DIR: join(folder, 'data'), PORT: '0', SYNC_CRON: 'off' };
      mkdirSync(join(folder, 'node_modules'));
      for (const name of readdirSync('node_modules'))
        symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
      command(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.kit.json'], resolve('.'));
      const packed = command('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], resolve('.'));
      const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
      install('tidemark', join(folder, filename));
      cpSync('examples/module', join(folder, 'module'), { recursive: true });
      build();
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
      cpSync(join(folder, 'module', 'tidemark.config.mjs'), join(folder, 'tidemark.config.mjs'));
      command(process.execPath, ['--test', 'module/dist/account-notes.test.js']);
      const provider = join(folder, 'provider');
      cpSync('examples/provider', provider, { recursive: true });
      command(process.execPath, [join(folder, 'node_modules', 'typescript', 'bin', 'tsc')], provider);
      command(process.execPath, ['--test', 'provider/dist/example-provider.test.js']);

      const first = await serve();
      cli('user:create', '--email', 'ann@example.com', '--password', 'correct horse battery');
      const scopes = 'notes:read,notes:write,accounts:read,accounts:write';
      const { key } = cli('key:create', '--email', 'ann@example.com', '--name', 'test', '--scopes', scopes);
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

      const index = join(folder, 'module', 'src', 'account-notes.ts');
      const entity = join(folder, 'module', 'src', 'account-note.ts');
      writeFileSync(entity, readFileSync(entity, 'utf8') + MIGRATION);
      const upgraded = readFileSync(index, 'utf8')
        .replace('import { AccountNote, ', 'import { AccountNote, Migration20270101000000AccountNotesAt, ')
        .replace('AccountNotes],', 'AccountNotes, Migration20270101000000AccountNotesAt],');
      writeFileSync(index, upgraded);
      build();
      const second = await serve();
      expect(await ask(second.url, note)).toEqual({ text: 'For the roof.' });
      expect(cli('modules:list')).toMatchObject({
        modules: expect.arrayContaining([{ name: 'account-notes', needs: '^1.0', installed: true, migrations: 2 }]),
      });
      await second.stop();

      expect(cli('modules:remove', 'account-notes', '--yes', 'account-notes')).toMatchObject({ rows: 1 });
      expect(readFileSync(join(folder, 'account-notes-removed.ndjson'), 'utf8')).toContain('For the roof.');
      rmSync(join(folder, 'tidemark.config.mjs'));
      const third = await serve();
      expect((await fetch(third.url + note, { headers: { 'X-Api-Key': String(key) } })).status).toBe(404);
      await third.stop();
    },
    TIMEOUT_MS,
  );
});
