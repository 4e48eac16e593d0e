import { setTimeout as wait } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { sql } from 'kysely';
import { ApiError } from '../../http/errors/api-error.js';
import { DrainService } from '../../http/drain.service.js';
import { ErrorResponse } from '../../http/errors/error-response.js';
import { Public } from '../../auth/access.js';

/** Load balancers wait little longer: whoever is silent must say so in time. */
const READY_TIMEOUT_MS = 2_000;

const HEALTHY = {
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', enum: ['ok'] } },
};

/** For load balancers and container engines: no key, no rate limit. */
@Public()
@ApiTags('Health')
@Controller('health')
export class HealthController {
  #look: Promise<unknown> | null = null;

  constructor(
    private readonly em: EntityManager,
    private readonly drain: DrainService,
  ) {}

  @Get('live')
  @ApiOperation({ operationId: 'getLive', summary: 'The process answers' })
  @ApiResponse({ status: 200, description: 'It does.', schema: HEALTHY })
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** Migrations run before the service listens, so a database that answers has them. */
  @Get('ready')
  @ApiOperation({ operationId: 'getReady', summary: 'The database answers and its migrations are in' })
  @ApiResponse({ status: 200, description: 'Ready.', schema: HEALTHY })
  @ApiResponse({
    status: 503,
    description: 'The database does not answer within 2 seconds, or this instance is stopping.',
    type: ErrorResponse,
  })
  async ready(): Promise<{ status: 'ok' }> {
    this.drain.checkReady();
    const timeout = new AbortController();
    const silence = wait(READY_TIMEOUT_MS, undefined, { signal: timeout.signal }).then(() => {
      throw new ApiError('unavailable', 'The database did not answer in time.', { headers: { 'Retry-After': '5' } });
    });
    try {
      await Promise.race([this.#lookAtDatabase(), silence]);
      return { status: 'ok' };
    } finally {
      timeout.abort();
      silence.catch(() => undefined);
    }
  }

  /** Requests that come while one look is under way share it: those who ask often must not fill the pool. */
  #lookAtDatabase(): Promise<unknown> {
    this.#look ??= sql`select 1 from balances limit 1`.execute(this.em.getKysely()).finally(() => (this.#look = null));
    return this.#look;
  }
}
