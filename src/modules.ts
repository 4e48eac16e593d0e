import { auth } from './auth/auth.descriptor.js';
import { declareScopes } from './auth/scopes.js';
import { balances } from './balances/balances.descriptor.js';
import { backup } from './modules/backup/backup.descriptor.js';
import { changeLog } from './database/change-log/change-log.descriptor.js';
import { idempotency } from './http/idempotency/idempotency.descriptor.js';
import { scale } from './modules/scale/scale.descriptor.js';
import { mcp } from './modules/mcp/mcp.descriptor.js';
import type { Part, TidemarkModule } from './platform/module.js';
import { retention } from './operate/retention/retention.descriptor.js';
import { sync } from './sync/sync.descriptor.js';
import { webhooks } from './modules/webhooks/webhooks.descriptor.js';

/** The rooms of Tidemark: each builds on those before it. */
export const ROOMS: readonly Part[] = [changeLog, auth, idempotency, balances, sync, retention];

/** The installed modules beside them. A new one is a folder and one name here. */
export const MODULES: readonly TidemarkModule[] = [webhooks, mcp, backup, scale];

declareScopes([...ROOMS, ...MODULES]);
