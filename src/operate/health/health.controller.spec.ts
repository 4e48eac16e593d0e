import { ServiceUnavailableException } from '@nestjs/common';
import type { HealthCheckService } from '@nestjs/terminus';
import { DrainService } from '../../http/drain.service.js';
import type { ClockCheck } from '../../database/clock-check.service.js';
import type { DatabaseIndicator } from './database.indicator.js';
import { HealthController } from './health.controller.js';

it('readiness is refused with a retry time if the application closes before it drains', async () => {
  const closing = { check: () => Promise.reject(new ServiceUnavailableException()) } as unknown as HealthCheckService;
  const right = { assertRight: () => undefined } as ClockCheck;
  const health = new HealthController(closing, {} as DatabaseIndicator, new DrainService(), right);
  await expect(health.ready()).rejects.toMatchObject({ code: 'unavailable', parts: { retryAfterSeconds: 5 } });
});
