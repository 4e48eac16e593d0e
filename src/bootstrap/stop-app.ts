import type { NestExpressApplication } from '@nestjs/platform-express';
import { DrainService } from '../http/drain.service.js';
import type { Config } from '../config/config.js';
import { type Lifecycle, whenAborted } from './lifecycle.js';

/** Drains the instance, then closes the application. A fast stop does not wait for either. */
export function stopAppWith(lifecycle: Lifecycle, app: NestExpressApplication, { shutdownDrainMs }: Config): void {
  const stop = async (haste: AbortSignal) => {
    await app.get(DrainService).drain(shutdownDrainMs, haste);
    await app.close();
  };
  lifecycle.onStop((haste) => Promise.race([stop(haste), whenAborted(haste)]), shutdownDrainMs);
}
