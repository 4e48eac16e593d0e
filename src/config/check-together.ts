import type { z } from 'zod';
import { HOW_TO_MAKE_A_SECRET, weaknessOfNewest } from './app-secret-text.js';
import { minPoolMax } from './database-settings.js';
import type { Variables } from './variables.js';

/** Of its 200 some are for the command line, leases and the superuser. */
const EMBEDDED_SESSIONS = 180;

/** Refuses values that are right alone and wrong together. */
export function checkTogether(env: Variables, context: z.RefinementCtx<Variables>): void {
  const refuse = (name: keyof Variables, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message });
  if (env.DATABASE_URL && !env.APP_SECRET && !env.APP_SECRET_FILE) {
    refuse('APP_SECRET', `is required with DATABASE_URL; ${HOW_TO_MAKE_A_SECRET}`);
  }
  if (env.APP_SECRET && env.APP_SECRET_FILE) refuse('APP_SECRET', 'must not be set together with APP_SECRET_FILE');
  const weakness = env.DATABASE_URL && env.APP_SECRET ? weaknessOfNewest(env.APP_SECRET) : null;
  if (weakness) refuse('APP_SECRET', weakness);
  if (env.DATABASE_DIRECT_URL && !env.DATABASE_URL) {
    refuse('DATABASE_DIRECT_URL', 'goes with DATABASE_URL only, which names the pooler in front of the same database');
  }
  if (env.METRICS_PORT === env.PORT && env.PORT !== 0) refuse('METRICS_PORT', 'must be another than PORT');
  if (env.SANDBOX && env.WEB_CONCURRENCY > 1) {
    refuse('WEB_CONCURRENCY', 'must be 1 with SANDBOX, whose banks live in one process');
  }
  const sessions = env.WEB_CONCURRENCY * env.DATABASE_POOL_MAX;
  if (!env.DATABASE_URL && sessions > EMBEDDED_SESSIONS) {
    refuse(
      'WEB_CONCURRENCY',
      `times DATABASE_POOL_MAX is ${sessions}, and the embedded PostgreSQL has ${EMBEDDED_SESSIONS} sessions`,
    );
  }
  if (env.DATABASE_REPLICA_URL && !env.DATABASE_URL) {
    refuse('DATABASE_REPLICA_URL', 'goes with DATABASE_URL only, which names the primary that it follows');
  }
  const poolMin = minPoolMax(env.SYNC_CONCURRENCY);
  if (env.DATABASE_POOL_MAX < poolMin) {
    refuse('DATABASE_POOL_MAX', `must be at least ${poolMin} with SYNC_CONCURRENCY=${env.SYNC_CONCURRENCY}`);
  }
}
