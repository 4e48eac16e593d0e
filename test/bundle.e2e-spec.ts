import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const BUNDLE = 'dist/bundle';

/** The files that a program loads at its start: those it imports, those they import, and so on. */
function loadedAtStart(program: string): string[] {
  const found = new Set([join(BUNDLE, program)]);
  for (const path of found) {
    const imports = readFileSync(path, 'utf8').matchAll(/\b(?:from|import)\s*["'](\.\/[^"']+\.js)["']/g);
    const files = [...imports].map(([, file]) => join(dirname(path), file!));
    // Libraries show imports in their texts, too.
    for (const file of files.filter(existsSync)) found.add(file);
  }
  return [...found];
}

/** The files that these import when they need them. */
function filesOnDemand(files: readonly string[]): string[] {
  const imported = files.flatMap((path) => [
    ...readFileSync(path, 'utf8').matchAll(/\bimport\(["'`]\.\/([^"'`]+)["'`]\)/g),
  ]);
  return [...new Set(imported.map(([, file]) => join(BUNDLE, file!)))].filter(existsSync);
}

/** Names of classes stay in the bundle. */
const mentions = (text: string) => (path: string) => readFileSync(path, 'utf8').includes(text);

describe('the bundle', () => {
  const loaded = loadedAtStart('main.js');

  it('serves without loading the sandbox', () => {
    expect(loaded.some(mentions('var WebModule=class'))).toBe(true);
    for (const text of ['var SandboxModule=class', 'var SandboxCredentials=class', 'long-decimals']) {
      expect([text, loaded.filter(mentions(text))]).toEqual([text, []]);
    }
  });

  it('serves without loading OpenTelemetry', () => {
    // Its interfaces come with prom-client; what does the work is here.
    const sdk = mentions('@opentelemetry/sdk-trace');
    expect(loaded.filter(sdk)).toEqual([]);
    expect(filesOnDemand(loaded).filter(sdk)).toHaveLength(1);
  });

  it('serves without loading the Model Context Protocol', () => {
    const sdk = mentions('io.modelcontextprotocol/');
    expect(loaded.filter(sdk)).toEqual([]);
    expect(filesOnDemand(loaded).filter(sdk)).toHaveLength(1);
  });

  it.each([
    ['the HTTP client of fetch', '/undici'],
    ['HTTP/2', '/http2/core'],
  ])('serves without loading %s', (_, end) => {
    // In a process of its own, which has not loaded it by itself as that of a test has.
    const loaded = `process.moduleLoadList.some((name) => name.endsWith('${end}'))`;
    const files = readdirSync(BUNDLE).filter((name) => loadedAtStart('main.js').includes(join(BUNDLE, name)));
    const imports = files.filter((name) => name !== 'main.js').map((name) => `await import('./${BUNDLE}/${name}');`);
    const { stdout } = spawnSync(process.execPath, ['--input-type=module'], {
      input: `${imports.join('\n')}\nprocess.stdout.write(String(${loaded}), () => process.exit());`,
      encoding: 'utf8',
    });
    expect(stdout).toBe('false');
  });

  it('has no character that would make V8 keep a file in two bytes each', () => {
    expect(loaded.filter((path) => /[\u0080-\uffff]/.test(readFileSync(path, 'utf8')))).toEqual([]);
  });

  it('has the sandbox in a file of its own', () => {
    expect(filesOnDemand(loaded).filter(mentions('var SandboxModule=class'))).toHaveLength(1);
  });
});
