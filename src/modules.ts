import { auth } from './auth/auth.descriptor.js';
import { declareScopes } from './auth/scopes.js';
import { balances } from './balances/balances.descriptor.js';
import { backup } from './backup/backup.descriptor.js';
import { changeLog } from './change-log/change-log.descriptor.js';
import { idempotency } from './idempotency/idempotency.descriptor.js';
import { scale } from './database/distribution/scale.descriptor.js';
import { mcp } from './mcp/mcp.descriptor.js';
import type { Part, TidemarkModule } from './platform/module.js';
import { retention } from './retention/retention.descriptor.js';
import { sync } from './sync/sync.descriptor.js';
import { webhooks } from './webhooks/webhooks.descriptor.js';

/** The rooms of Tidemark: each builds on those before it. */
export const ROOMS: readonly Part[] = [changeLog, auth, idempotency, balances, sync, retention];

/** The installed modules beside them. A new one is a folder and one name here. */
export const MODULES: readonly TidemarkModule[] = [webhooks, mcp, backup, scale];

declareScopes([...ROOMS, ...MODULES]);
