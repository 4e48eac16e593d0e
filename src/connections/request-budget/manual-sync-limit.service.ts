import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../errors/domain-error.js';
import { ProviderRegistry } from '../../bank-provider/provider-registry.js';
import { Clock } from '../../time/clock.js';
import { Connection } from '../connection.entity.js';
import { allowedAt } from './budget-state.js';
import { requestsOfDay } from './provider-requests.queries.js';

/** Refuses a manual sync that the provider's limit would make fail. */
@Injectable()
export class ManualSyncLimitService {
  constructor(
    private readonly providers: ProviderRegistry,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `rate_limit_exceeded` with `details.next_allowed_at` */
  async check(em: EntityManager, userId: string, connectionId: string): Promise<void> {
    const { provider } = await em.findOneOrFail(Connection, { userId, id: connectionId });
    // The run itself reports an unknown provider.
    const requestLimit = this.providers.find(provider)?.descriptor.requestLimit ?? null;
    if (requestLimit === null) return;
    const now = this.clock.now();
    const sent = await requestsOfDay(em, userId, [connectionId], now);
    const nextAllowedAt = allowedAt(sent.get(connectionId)!, requestLimit.perDay, requestLimit.perSync);
    if (nextAllowedAt === null) return;
    const limit = requestLimit.perDay;
    const at = nextAllowedAt.toISOString();
    throw new DomainError(
      'rate_limit_exceeded',
      `The provider allows ${limit} requests a day, and too few are left for a sync; the next one is possible at ${at}.`,
      {
        details: { limit, next_allowed_at: at },
        retryAfterSeconds: Math.ceil((nextAllowedAt.getTime() - now.getTime()) / 1000),
      },
    );
  }
}
