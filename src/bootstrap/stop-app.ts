import type { NestExpressApplication } from '@nestjs/platform-express';
import { DrainService } from '../http/drain.service.js';
import type { Config } from '../config/config.js';
import { type Lifecycle, whenAborted } from './lifecycle.js';
import { LEAVE } from './processes/messages.js';

/** Drains the instance, then closes the application. A fast stop does not wait for either. */
export function stopAppWith(lifecycle: Lifecycle, app: NestExpressApplication, { shutdownDrainMs }: Config): void {
  const drain = app.get(DrainService);
  const stop = async (haste: AbortSignal) => {
    await drain.drain(shutdownDrainMs, haste);
    await app.close();
  };
  process.on('message', (message) => {
    if (message !== LEAVE) return;
    drain.isReplaced = true;
    lifecycle.stop();
  });
  lifecycle.onStop((haste) => Promise.race([stop(haste), whenAborted(haste)]), shutdownDrainMs);
}
