import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';

// Compares the declarations of the kit with test/recording/kit-api, or writes them there: `npm run kit:api [-- --write]`.

const ROOT = resolve(import.meta.dirname, '..');
const RECORDED = join(ROOT, 'test/recording/kit-api');
const ENTRIES = { kit: 'src/kit.d.ts', testing: 'src/kit/testing.d.ts', operate: 'src/kit/operate.d.ts' };
const SILENT = { default: { logLevel: 'none', addToApiReportFile: false } };
const isWritten = process.argv.includes('--write');

// Beside node_modules, where the declarations find those of the libraries.
const folder = mkdtempSync(join(ROOT, 'dist-kit-'));
try {
  const { status } = spawnSync('tsc', ['-p', 'tsconfig.kit.json', '--outDir', folder], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  const differ = Object.entries(ENTRIES).filter(([name, entry]) => !isRecorded(name, join(folder, entry)));
  if (differ.length > 0 && !isWritten) {
    const names = differ.map(([name]) => `test/recording/kit-api/${name}.api.md`).join(', ');
    process.stderr.write(
      `The declarations of the kit differ from ${names}. Run npm run kit:api -- --write and look at the difference: ` +
        'what is only added asks for a new minor KIT_VERSION, what is taken out or changed for a new major one.\n',
    );
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string} name @param {string} mainEntryPointFilePath @returns {boolean} whether the report is that of the recording */
function isRecorded(name, mainEntryPointFilePath) {
  const config = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(ROOT, 'package.json'),
    configObject: {
      projectFolder: ROOT,
      mainEntryPointFilePath,
      compiler: { tsconfigFilePath: join(ROOT, 'tsconfig.kit.json') },
      apiReport: { enabled: true, reportFileName: name, reportFolder: RECORDED, reportTempFolder: folder },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: { compilerMessageReporting: SILENT, extractorMessageReporting: SILENT, tsdocMessageReporting: SILENT },
    },
  });
  const isSilent = { messageCallback: (/** @type {{ handled: boolean }} */ message) => (message.handled = true) };
  return !Extractor.invoke(config, { localBuild: isWritten, ...isSilent }).apiReportChanged;
}
