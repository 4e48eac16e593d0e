import { readdirSync } from 'node:fs';
import http from 'node:http';
import { relative } from 'node:path';
import { rolldown } from 'rolldown';

// Makes some dozen files of the thousands that the entry points of the built service load: they start in half the time
// and take a sixth less memory. docs/decisions.md says how it came to this.

const ENTRY_POINTS = ['main', 'demo', 'cli'];
const OUT_DIR = 'dist/bundle';
const PAGES = 'dist/web/assets';

/**
 * Stays where it is installed: native programs, what is optional and not installed, OpenTelemetry, which few installs
 * load, and class-transformer, of which there must be one, since Nest's interceptors fetch it by themselves.
 */
const OUTSIDE = [
  /^@node-rs\//,
  /^class-transformer$/,
  /^@opentelemetry\/(?!api$)/,
  /^@nestjs\/(microservices|websockets)\b/,
  /^@fastify\/static$/,
];

/** These mention files beside themselves for features that the service does not use. */
const HARMLESS = /node_modules\/(pino|thread-stream|@nestjs\/terminus)\//;

/** A module that only the bundle has. */
const HTTP_BY_CALL = '\0http-by-call';

/**
 * What libraries load at start for what the service never asks of them, with what stands in its place: requests by HTTP/2,
 * by fetch or of forms, schedules in the form of calendars, and entities looked for in files. 2 MiB in all.
 */
const NEVER_ASKED = [
  { library: 'axios', imports: './fetch.js', instead: 'export const getFetch = () => null;' },
  { library: 'axios', imports: 'form-data', instead: 'export default null;' },
  { library: 'axios', imports: 'http2', instead: 'export default {};' },
  { library: 'pg-boss', imports: 'rrule-temporal', instead: 'export const RRuleTemporal = null;' },
  { library: '@mikro-orm/core', imports: 'tinyglobby', instead: `throw new Error('is optional');` },
];

const AXIOS = '/node_modules/axios/';
const TYPES_OF_EXPRESS = /typeof (Request|Response) === "undefined" \? Object : \1/g;
const LOADS_FETCH = "typeof G.FormData !== 'undefined' ? G.FormData : undefined";

/** What libraries make at start: Nest's loggers for their times, in place of which pino logs; luxon for its texts. */
const FORMATS = [
  {
    folder: '@nestjs/common/services',
    format: /new Intl\.DateTimeFormat\(undefined, \{[^}]*\}\)/,
    instead: '{ format: () => new Date().toISOString() }',
  },
  { folder: 'luxon', format: 'new Intl.DateTimeFormat().resolvedOptions().locale', instead: '"en"' },
];

const FILES_BESIDE = /\b(__dirname|__filename)\b|\bimport\.meta\.(dirname|filename)|new URL\([^)]*import\.meta/;

/**
 * A module of ours finds its files where they lie, not where it is bundled; a library could not.
 *
 * @type {import('rolldown').Plugin}
 */
const filesBeside = {
  name: 'files-beside',
  transform(code, id) {
    if (!id.includes('/node_modules/')) {
      const there = `new URL(${JSON.stringify(relative(OUT_DIR, id))}, import.meta.url).href`;
      return code.includes('import.meta.url') ? { code: code.replaceAll('import.meta.url', there) } : null;
    }
    if (!FILES_BESIDE.test(code) || HARMLESS.test(id)) return null;
    return this.error(`${id} looks for files beside itself: add its package to OUTSIDE in scripts/bundle.mjs`);
  },
};

/**
 * Node.js has a second HTTP client, for `fetch`, whose loading takes 13 MiB. It is loaded by who imports `node:http`, since all
 * of the module's properties are read and some come from there (who takes the module by call does not), by a part of axios
 * that we do not use, and by the metadata of our controllers: the types of Express are called as classes of it.
 *
 * @type {import('rolldown').Plugin}
 */
const withoutFetch = {
  name: 'without-fetch',
  resolveId(id, _importer, { kind }) {
    if (!/^(node:)?http$/.test(id) || kind === 'require-call') return null;
    return { id: HTTP_BY_CALL, moduleSideEffects: false };
  },
  load(id) {
    if (id !== HTTP_BY_CALL) return null;
    const properties = Object.entries(Object.getOwnPropertyDescriptors(http));
    const names = properties.flatMap(([name, { get }]) => (get ? [] : name));
    const code = `const http = process.getBuiltinModule('node:http'); export default http;`;
    return `${code} export const { ${names.join(', ')} } = http;`;
  },
  transform(code, id) {
    if (!id.includes('/node_modules/')) return { code: code.replace(TYPES_OF_EXPRESS, 'Object') };
    if (!id.endsWith(`${AXIOS}lib/utils.js`)) return null;
    if (!code.includes(LOADS_FETCH)) return this.error(`${id} does not look for FormData as it did: see LOADS_FETCH`);
    return { code: code.replace(LOADS_FETCH, 'undefined') };
  },
};

/**
 * The first format of a date or number loads 6 MiB of locale data, so none is made before somebody asks.
 *
 * @type {import('rolldown').Plugin}
 */
const withoutFormats = {
  name: 'without-formats',
  transform(code, id) {
    const found = FORMATS.find(({ folder }) => id.includes(`/node_modules/${folder}/`));
    return found ? { code: code.replace(found.format, found.instead) } : null;
  },
};

/**
 * V8 keeps a text in one byte a character only if all of them fit, and a file in two for one long dash: 3 MiB in all.
 *
 * @type {import('rolldown').Plugin}
 */
const inOneByte = {
  name: 'in-one-byte',
  generateBundle(_options, files) {
    for (const file of Object.values(files))
      if (file.type === 'chunk') file.code = file.code.replace(/[\u0080-\uffff]/g, escaped);
  },
};

/** @param {string} character */
function escaped(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** @type {import('rolldown').Plugin} */
const withoutNeverAsked = {
  name: 'without-never-asked',
  resolveId(id, importer = '') {
    const found = NEVER_ASKED.findIndex(
      ({ library, imports }) => imports === id && importer.includes(`/node_modules/${library}/`),
    );
    return found === -1 ? null : `\0never-asked-${found}`;
  },
  load(id) {
    return NEVER_ASKED[/^\0never-asked-(\d+)$/.exec(id)?.[1] ?? -1]?.instead ?? null;
  },
  buildEnd() {
    for (const [index, { library, imports }] of NEVER_ASKED.entries())
      if (!this.getModuleInfo(`\0never-asked-${index}`)) this.error(`${library} no longer imports ${imports}`);
  },
};

/** @type {Set<string>} */
const loadedAtStart = new Set();

/** @type {import('rolldown').Plugin} */
const findLoadedAtStart = {
  name: 'find-loaded-at-start',
  buildEnd() {
    const ids = [...this.getModuleIds()];
    const waiting = ids.filter((id) => this.getModuleInfo(id)?.isEntry);
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (loadedAtStart.has(id)) continue;
      loadedAtStart.add(id);
      waiting.push(...(this.getModuleInfo(id)?.importedIds ?? []));
    }
  },
};

/**
 * A file for each library: V8 takes many times a file's size for reading it, and of a single large one keeps most of that
 * for ever. What is loaded on demand only has files of its own, or none would be on demand.
 *
 * @param {string} id
 */
function fileOf(id) {
  const library = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1];
  return library && loadedAtStart.has(id) ? library.replace('/', '-') : null;
}

const bundle = await rolldown({
  input: Object.fromEntries(ENTRY_POINTS.map((name) => [name, `dist/${name}.js`])),
  platform: 'node',
  // The `module` of class-validator is written for engines without `for … of`, which takes several times the memory.
  resolve: { mainFields: ['es2015', 'module', 'main'] },
  // Nest looks for class-validator by itself, for pipes that we do not use; what we use of it is a quarter.
  external: (id, importer = '') =>
    OUTSIDE.some((outside) => outside.test(id)) || (id === 'class-validator' && importer.includes('/@nestjs/')),
  plugins: [withoutFetch, withoutFormats, withoutNeverAsked, filesBeside, findLoadedAtStart, inOneByte],
});
await bundle.write({
  dir: OUT_DIR,
  cleanDir: true,
  comments: false,
  // Names stay: of classes they are part of what the service says, of functions they are what a stack shows.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  codeSplitting: { groups: [{ debugName: 'libraries', name: fileOf }] },
});

// The scripts of the pages, at half of their weight. Each has a scope of its own: minified, all would call their first global `e`.
for (const name of readdirSync(PAGES)) {
  if (!name.endsWith('.mjs')) continue;
  const script = await rolldown({ input: `${PAGES}/${name}` });
  await script.write({ file: `${PAGES}/${name}`, format: 'iife', minify: true });
}
