import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { PageQuery } from '../../http/pagination/page.js';
import { UUID } from '../../http/input/validators.js';
import { SYNC_STATUSES, type SyncStatus } from '../sync-run.entity.js';

export class ListSyncsQuery extends PageQuery {
  @ApiPropertyOptional({ format: 'uuid', description: 'Only syncs of this connection.' })
  @IsOptional()
  @Matches(UUID, { message: 'connection_id must be a valid UUID' })
  connection_id?: string;

  @ApiPropertyOptional({ enum: SYNC_STATUSES, description: 'Only syncs in this state.' })
  @IsOptional()
  @IsIn(SYNC_STATUSES, { message: `status must be one of: ${SYNC_STATUSES.join(', ')}` })
  status?: SyncStatus;
}
