import { Controller, Get, ServiceUnavailableException } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { HealthCheckService } from '@nestjs/terminus';
import { ClockCheck } from '../../database/clock-check.service.js';
import { DrainService, stopping } from '../../http/drain.service.js';
import { ERRORS } from '../../http/errors/api-error.js';
import { ErrorResponse } from '../../http/errors/error-response.js';
import { Public } from '../../auth/access.guard.js';
import { DatabaseIndicator } from './database.indicator.js';

const HEALTHY = {
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', enum: ['ok'] } },
};

/** For load balancers and container engines: no key, no rate limit. */
@Public()
@ApiTags('Health')
@ApiResponse({ status: 400, description: ERRORS.bad_request.title, type: ErrorResponse })
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly database: DatabaseIndicator,
    private readonly drain: DrainService,
    private readonly clockCheck: ClockCheck,
  ) {}

  @Get('live')
  @ApiOperation({
    operationId: 'getLive',
    summary: 'Check that the process answers',
    description: 'Checks nothing else.',
  })
  @ApiResponse({ status: 200, description: 'The process answers.', schema: HEALTHY })
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({
    operationId: 'getReady',
    summary: 'Check that the service is ready',
    description: 'For load balancers: 503 also while this instance stops.',
  })
  @ApiResponse({ status: 200, description: 'Ready.', schema: HEALTHY })
  @ApiResponse({
    status: 503,
    description:
      'The database does not answer within 2 seconds or accepts no changes, the clock of this instance is wrong, or it is stopping.',
    type: ErrorResponse,
  })
  async ready(): Promise<{ status: 'ok' }> {
    this.drain.checkReady();
    this.clockCheck.assertRight();
    try {
      await this.health.check([() => this.database.isReady()]);
      return { status: 'ok' };
    } catch (error) {
      // Terminus throws it when the application closes without a drain. Other errors are those of the indicator.
      throw error instanceof ServiceUnavailableException ? stopping() : error;
    }
  }
}
