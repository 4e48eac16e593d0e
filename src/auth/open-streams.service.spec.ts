import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { DatabaseListener } from '../database/listener.js';
import type { PlainPool } from '../database/plain-pool.js';
import { SystemClock } from '../platform/time/clock.js';
import { OpenStreamsService } from './open-streams.service.js';

const NO_CREDENTIALS = { query: () => Promise.resolve([]) } as unknown as PlainPool;
const NO_MESSAGES = { subscribe: () => undefined } as unknown as DatabaseListener;

it('ends the streams of a revoked key though the end of one of them throws', async () => {
  const log = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
  const streams = new OpenStreamsService(NO_CREDENTIALS, new SystemClock(), NO_MESSAGES);
  const owner = { userId: 'someone', secretId: 'revoked' };
  streams.register(owner, () => {
    throw new Error('already closed');
  });
  await new Promise<void>((end) => streams.register(owner, end));
  await new Promise<void>((end) => streams.register(owner, end));
  expect(log.mock.calls[0]![0]).toContain('already closed');
  log.mockRestore();
});
