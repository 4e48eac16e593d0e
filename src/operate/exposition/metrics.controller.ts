import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { isLoopbackHost } from '../../http/allowed-hosts.js';
import { recordNotFound } from '../../platform/domain-error.js';
import { ERRORS } from '../../http/errors/api-error.js';
import { ErrorResponse } from '../../http/errors/error-response.js';
import { Public } from '../../auth/access.guard.js';
import { Config } from '../../platform/config/config.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

@Public()
@ApiTags('Health')
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: MetricsService,
    private readonly config: Config,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'getMetrics',
    summary: 'Metrics for Prometheus',
    description:
      'For callers on this machine only; with METRICS_PORT on a port of their own instead. While the database is away, what ' +
      'is asked of it is left out, and `tidemark_database_up` is 0.',
  })
  @ApiResponse({
    status: 200,
    description: 'Metrics in the text format of Prometheus.',
    content: { 'text/plain': { schema: { type: 'string' }, example: 'tidemark_syncs_last_day{status="succeeded"} 4' } },
  })
  @ApiResponse({ status: 400, description: ERRORS.bad_request.title, type: ErrorResponse })
  @ApiResponse({ status: 404, description: 'The caller is on another machine.', type: ErrorResponse })
  @ApiResponse({ status: 421, description: ERRORS.misdirected_request.title, type: ErrorResponse })
  async get(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<string> {
    if (this.config.metricsPort !== null || !isFromThisMachine(request)) throw recordNotFound('page');
    const { type, text } = await this.metrics.read();
    response.type(type);
    return text;
  }
}

/** What proxies add to a request. One on this machine asks for callers elsewhere. */
const PROXY_HEADER = /^(?:forwarded|via|x-forwarded.*|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/;

function isFromThisMachine({ socket, headers }: Request): boolean {
  if (!LOOPBACK.test(socket.remoteAddress ?? '') || !isLoopbackHost(headers.host)) return false;
  return !Object.keys(headers).some((name) => PROXY_HEADER.test(name));
}
