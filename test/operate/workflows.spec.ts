import { execFileSync } from 'node:child_process';
import { accessSync, constants, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Step {
  name?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}
interface Job {
  'timeout-minutes'?: number;
  permissions?: Record<string, string>;
  steps: Step[];
}
interface Workflow {
  permissions: Record<string, string>;
  concurrency: { group: string };
  jobs: Record<string, Job>;
}

const read = (path: string) => readFileSync(path, 'utf8');
const yamlFiles = (folder: string) => readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
const { scripts, version } = JSON.parse(read('package.json'));

const WORKFLOWS = yamlFiles('.github/workflows').map((name): [string, Workflow] => [
  name,
  parse(read(join('.github/workflows', name))),
]);
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps);

describe('workflows', () => {
  it.each(WORKFLOWS)('%s only reads unless a job says more, and every job ends', (_, workflow) => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(workflow.concurrency.group).toBeTruthy();
    for (const job of Object.values(workflow.jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0);
  });

  it.each(WORKFLOWS)('%s names its actions by major version', (_, workflow) => {
    const actions = stepsOf(workflow).flatMap(({ uses = [] }) => uses);
    expect(actions.filter((action) => !/^(actions|docker)\/[\w-]+@v\d+$/.test(action))).toEqual([]);
  });

  it.each(WORKFLOWS)('%s runs only npm scripts and programs of the repository that exist', (_, workflow) => {
    const commands = stepsOf(workflow).flatMap(({ run = [] }) => run);
    const programs = commands.flatMap((command) => command.match(/^\.[\w./-]+/gm) ?? []);
    const named = commands.flatMap((command) => [...command.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!));
    for (const program of programs) expect(() => accessSync(program, constants.X_OK)).not.toThrow();
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    expect(programs).toContain('.ci/run');
  });

  it('release.yml builds the image for both platforms with provenance and a list of what is in it', () => {
    const [, release] = WORKFLOWS.find(([name]) => name === 'release.yml')!;
    const build = stepsOf(release).find(({ uses }) => uses?.startsWith('docker/build-push-action@'));
    expect(build?.with).toMatchObject({
      platforms: 'linux/amd64,linux/arm64',
      provenance: 'mode=max',
      sbom: true,
    });
  });

  it('release.yml takes the notes of the tagged version from the changelog, and refuses a version without notes', () => {
    const [, release] = WORKFLOWS.find(([name]) => name === 'release.yml')!;
    const { run } = stepsOf(release).find(({ name }) => name === 'Notes')!;
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-notes-'));
    try {
      cpSync('CHANGELOG.md', join(folder, 'CHANGELOG.md'));
      const notes = (tag: string) => {
        execFileSync('bash', ['-e', '-c', run!], { cwd: folder, env: { ...process.env, GITHUB_REF_NAME: tag } });
        return read(join(folder, 'release/notes.md'));
      };
      expect(notes(`v${version}`)).toContain('\n### ');
      expect(() => notes('v0.0.0')).toThrow();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('issue forms', () => {
  const forms = yamlFiles('.github/ISSUE_TEMPLATE').filter((name) => name !== 'config.yml');

  it.each(forms)('the issue form %s has a name, a description, and fields of distinct ids', (name) => {
    const form = parse(read(join('.github/ISSUE_TEMPLATE', name)));
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
    const fields = (form.body as { type: string; id?: string }[]).filter(({ type }) => type !== 'markdown');
    expect(fields.every(({ id }) => id)).toBe(true);
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  });
});
