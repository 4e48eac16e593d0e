import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Lists what the built service consists of: a software bill of materials (CycloneDX) for programs, and the licenses of
// all libraries for people. Both cover production dependencies on every platform.

const SBOM = 'dist/sbom.cdx.json';
const NOTICES = 'dist/THIRD_PARTY_NOTICES.txt';

const LICENSE_FILE = /^(licen[cs]e|notice|copying)([.-].*)?$/i;
const RULE = '='.repeat(80);

/** @typedef {{ version: string, license?: string, dev?: boolean, devOptional?: boolean }} LockedPackage */

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const production = Object.entries(/** @type {Record<string, LockedPackage>} */ (lock.packages)).filter(
  ([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional,
);

/** @param {string} path */
const nameOf = (path) => path.replace(/.*node_modules\//, '');

/** npm's own `--omit=dev` also leaves out what a development dependency names as its peer, NestJS for one. */
function writeSbom() {
  const command = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const sbom = JSON.parse(execFileSync('npm', command, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }));
  const refs = new Set(production.map(([path, { version }]) => `${nameOf(path)}@${version}`));
  const isOurs = (/** @type {string} */ ref) => refs.has(ref) || ref === sbom.metadata.component['bom-ref'];
  // npm takes the name of the folder.
  sbom.metadata.component.name = name;
  sbom.components = sbom.components.filter((/** @type {{ 'bom-ref': string }} */ part) => isOurs(part['bom-ref']));
  sbom.dependencies = sbom.dependencies
    .filter((/** @type {{ ref: string }} */ { ref }) => isOurs(ref))
    .map((/** @type {{ ref: string, dependsOn: string[] }} */ { ref, dependsOn }) => {
      return { ref, dependsOn: dependsOn.filter(isOurs) };
    });
  writeFileSync(SBOM, `${JSON.stringify(sbom, null, 2)}\n`);
}

function writeNotices() {
  const notices = production.map(([path, locked]) => noticeOf(path, locked));
  const title = `${name} ${version} contains these libraries, or loads them, under their own licenses.`;
  writeFileSync(NOTICES, [title, ...new Set(notices)].join(`\n\n${RULE}\n`));
}

/**
 * @param {string} path
 * @param {LockedPackage} locked
 */
function noticeOf(path, { version, license }) {
  const heading = `${nameOf(path)} ${version} (${license ?? 'license: see its text'})`;
  return [heading, ...licenseTexts(path)].join('\n\n');
}

/**
 * Packages for other platforms are not installed: their heading has to do.
 *
 * @param {string} path
 */
function licenseTexts(path) {
  if (!existsSync(path)) return [];
  const files = readdirSync(path, { withFileTypes: true }).filter(
    (file) => file.isFile() && LICENSE_FILE.test(file.name),
  );
  return files.map((file) => readFileSync(join(path, file.name), 'utf8').trim());
}

writeSbom();
writeNotices();
