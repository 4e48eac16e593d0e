import type { Part } from '../../platform/module.js';
import { pruneChangeLog } from './prune-change-log.js';

export const changeLog: Part = { name: 'change-log', retention: { change_log: pruneChangeLog } };
