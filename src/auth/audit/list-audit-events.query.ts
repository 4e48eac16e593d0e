import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { IsInstant, IsNotBefore } from '../../http/input/validators.js';
import { PageQuery } from '../../http/pagination/page.js';
import { AUDIT_EVENT_KINDS, type AuditEventKind } from './audit-event.js';

export class ListAuditEventsQuery extends PageQuery {
  @ApiPropertyOptional({ enum: AUDIT_EVENT_KINDS, description: 'Only events of this kind.' })
  @IsOptional()
  @IsIn(AUDIT_EVENT_KINDS, { message: `kind must be one of: ${AUDIT_EVENT_KINDS.join(', ')}` })
  kind?: AuditEventKind;

  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'Events from this time on, inclusive.' })
  @IsOptional()
  @IsInstant()
  start_time?: string;

  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'Events before this time.' })
  @IsOptional()
  @IsInstant()
  @IsNotBefore('start_time')
  end_time?: string;
}
