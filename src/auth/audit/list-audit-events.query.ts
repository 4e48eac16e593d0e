import { GivenMoment, GivenOneOf } from '../../http/input/given.js';
import { IsNotBefore } from '../../http/input/validators.js';
import { PageQuery } from '../../http/pagination/page.js';
import { AUDIT_EVENT_KINDS, type AuditEventKind } from './audit-event.js';

export class ListAuditEventsQuery extends PageQuery {
  @GivenOneOf(AUDIT_EVENT_KINDS, { optional: true, description: 'Only events of this kind.' })
  kind?: AuditEventKind;

  @GivenMoment({ optional: true, description: 'Events from this time on, inclusive.' })
  start_time?: string;

  @GivenMoment({ optional: true, description: 'Events before this time.' })
  @IsNotBefore('start_time')
  end_time?: string;
}
