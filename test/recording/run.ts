import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { readConfig } from '../../src/platform/config/config.js';
import { migrate } from '../../src/database/migrate.js';
import { MODULES } from '../../src/modules.js';
import { startThrowawayPostgres } from '../support/throwaway-postgres.js';
import type { Recorded } from './answers.js';
import { recordApi } from './api-requests.js';
import { recordPages } from './page-requests.js';
import { startScene } from './scene.js';
import { countIds } from './stable-ids.js';

// Compares what every GET route and every page answers with what is recorded; with --write, records it anew.

const FOLDER = 'test/recording/answers';

countIds();
const files = await record();
let equal = true;
if (process.argv.includes('--write')) {
  rmSync(FOLDER, { recursive: true, force: true });
  writeFiles(FOLDER, files);
  process.stdout.write(`${FOLDER}: ${files.size} files\n`);
} else equal = compare(files);
process.exit(equal ? 0 : 1);

async function record(): Promise<Recorded> {
  const server = await startThrowawayPostgres('recording');
  await migrate(server.address, readConfig([], [], {}, {}).database, { modules: MODULES });
  const scene = await startScene(server);
  try {
    const document = (await (await fetch(`${scene.tidemark.url}/openapi.json`)).json()) as OpenAPIObject;
    return new Map([...(await recordApi(scene, document)), ...(await recordPages(scene))]);
  } finally {
    await scene.tidemark.stop();
    await scene.receiver.stop();
    await server.stop();
  }
}

function writeFiles(folder: string, files: Recorded): void {
  for (const [name, text] of files) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Prints what differs. */
function compare(files: Recorded): boolean {
  const now = mkdtempSync(join(tmpdir(), 'tidemark-recording-'));
  try {
    writeFiles(now, files);
    const { status } = spawnSync('git', ['diff', '--no-index', '--unified=2', '--stat', '--patch', FOLDER, now], {
      stdio: 'inherit',
    });
    process.stdout.write(
      status === 0 ? `${files.size} files, all equal\n` : 'The answers differ from the recording.\n',
    );
    return status === 0;
  } finally {
    rmSync(now, { recursive: true, force: true });
  }
}
