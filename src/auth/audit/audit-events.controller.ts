import { Controller, Get, Query, Req, type StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { type Caller, CurrentCaller } from '../../http/caller.js';
import { ExportableResponse, RecordExportService } from '../../http/export/record-export.service.js';
import { JSON_TYPE, wantedTypeOf } from '../../http/export/media-type.guard.js';
import { pagination } from '../../http/pagination/page.js';
import { PageLinks } from '../../http/pagination/page-links.interceptor.js';
import { RequireScope } from '../require-scope.decorator.js';
import {
  AUDIT_EVENT_EXAMPLE,
  AUDIT_EVENT_EXPORT,
  AuditEventCollection,
  toAuditEventResponse,
} from './audit-event.response.js';
import { AuditEventsRepository } from './audit-events.repository.js';
import { ListAuditEventsQuery } from './list-audit-events.query.js';

@ApiTags('Audit events')
@Controller('api/v1/audit_events')
export class AuditEventsController {
  constructor(
    private readonly events: AuditEventsRepository,
    private readonly exports: RecordExportService,
  ) {}

  @Get()
  @PageLinks()
  @RequireScope('audit:read')
  @ApiOperation({
    operationId: 'listAuditEvents',
    summary: 'List audit events',
    description:
      'Newest first. Of failed attempts to sign in or to give a password, at most 100 a day are kept; the log has all.',
  })
  @ExportableResponse('Audit events listed.', AuditEventCollection, AUDIT_EVENT_EXPORT, AUDIT_EVENT_EXAMPLE)
  async list(
    @CurrentCaller() { userId }: Caller,
    @Query() query: ListAuditEventsQuery,
    @Req() request: Request,
  ): Promise<AuditEventCollection | StreamableFile> {
    if (wantedTypeOf(request) !== JSON_TYPE) {
      return this.exports.stream(request, AUDIT_EVENT_EXPORT, this.events.readAll(userId, query));
    }
    const { rows, totalCount } = await this.events.listPage(userId, query);
    return { audit_events: rows.map(toAuditEventResponse), pagination: pagination(query, totalCount) };
  }
}
