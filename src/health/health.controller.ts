import { EntityManager } from '@mikro-orm/postgresql';
import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { sql } from 'kysely';
import { ErrorResponse } from '../api/error-response.js';

const HEALTHY = {
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', enum: ['ok'] } },
};

/** For load balancers and container engines: no key, no rate limit. */
@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly em: EntityManager) {}

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
  @ApiResponse({ status: 503, description: 'The database cannot be reached.', type: ErrorResponse })
  async ready(): Promise<{ status: 'ok' }> {
    await sql`select 1 from balances limit 1`.execute(this.em.getKysely());
    return { status: 'ok' };
  }
}
