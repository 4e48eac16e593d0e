import type { NestExpressApplication } from '@nestjs/platform-express';
import { DrainService } from '../../http/drain.service.js';
import type { Config } from '../../platform/config/config.js';
import { type Lifecycle, whenAborted } from '../../platform/lifecycle.js';

/** Drains the instance, then closes the application. A fast stop does not wait for either. */
export function stopAppWith(lifecycle: Lifecycle, app: NestExpressApplication, { shutdownDrainMs }: Config): void {
  const drain = app.get(DrainService);
  const stop = async (forced: AbortSignal) => {
    await drain.drain(shutdownDrainMs, forced);
    await app.close();
  };
  lifecycle.onStop((forced) => Promise.race([stop(forced), whenAborted(forced)]), shutdownDrainMs);
}
