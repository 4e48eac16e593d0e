import Sequencer from '@jest/test-sequencer';

// Jest orders files by how long they took here before. In a fresh clone it goes by their size, which says little: the
// longest of all, left to the end, keeps one core busy while the other has nothing to do.

/** By the processor time they take, the longest first. */
const LONGEST = [
  'browser-pages',
  'sync-processes',
  'browser',
  'drills',
  'processes',
  'balance-engine/second-truths',
  'embedded-service',
  'entry-points',
  'balance-engine/scores',
  'generated-clients',
  'backup',
  'swagger-ui',
  'rolling-restart',
  'lifecycle',
  'secrets',
  'bruno',
  'replica',
  'doctor',
  'connections',
  'embedded-postgres',
  'database-limits',
  'client',
  'fuzz',
  'retention',
  'export-limits',
  'compression',
  'us-provider',
  'merge-accounts',
  'sync-runs',
  'global-pending',
  'global-scenarios',
  'demo',
  'us-provider/huge-lists',
  'balance-engine/rules',
  'bank-provider/http/json-in-parts',
  'balance-engine/findings',
].map((name) => (name.includes('/') ? `/src/${name}.spec.ts` : `/test/${name}.e2e-spec.ts`));

export default class LongestFirstSequencer extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => rankOf(one) - rankOf(other));
  }
}

/** @param {import('@jest/test-result').Test} test */
function rankOf({ path, duration }) {
  const rank = duration === undefined ? LONGEST.findIndex((end) => path.endsWith(end)) : -1;
  return rank === -1 ? LONGEST.length : rank;
}
