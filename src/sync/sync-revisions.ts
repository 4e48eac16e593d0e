import { Injectable } from '@nestjs/common';
import { Revisions } from '../http/conditional-get/revisions.js';
import { PlainPool } from '../database/plain-pool.js';
import { dateInTimeZone } from '../platform/time/calendar-date.js';
import { Clock } from '../platform/time/clock.js';
import { requestsSince } from './connections/request-budget.service.js';

// A request that is sent is the newest one, and one that leaves the 24 hours of the limit changes the count.
// Raw, because prepared statements are text.
const REVISIONS = {
  name: 'sync-revisions',
  text: `
    select concat_ws(' ',
      (select revision from user_revisions where user_id = $1),
      (select concat(count(*), ' ', max(sent_at)) from provider_requests where user_id = $1 and sent_at > $2)) as revisions`,
};

/** Changes with everything that the lists of connections and syncs show, also with the passing of time. */
@Injectable()
export class SyncRevisions extends Revisions {
  constructor(
    private readonly pool: PlainPool,
    private readonly clock: Clock,
  ) {
    super();
  }

  async readRevision(userId: string): Promise<string> {
    const now = this.clock.now();
    const [row] = await this.pool.query<{ revisions: string }>(REVISIONS, [userId, requestsSince(now)]);
    // Staleness counts days of UTC.
    return `${row!.revisions} ${dateInTimeZone(now, 'UTC')}`;
  }
}
