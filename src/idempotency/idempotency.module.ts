import { Global, Module } from '@nestjs/common';
import { ConnectionsModule } from '../connections/connections.module.js';
import { IdempotencyKeys } from '../http/idempotency/idempotency-keys.js';
import { IdempotencyKeysQueries } from './idempotency-keys.queries.js';
import { IdempotencyKeysService } from './idempotency-keys.service.js';

/** Global: the interceptor of every POST needs it. */
@Global()
@Module({
  imports: [ConnectionsModule],
  providers: [IdempotencyKeysQueries, { provide: IdempotencyKeys, useClass: IdempotencyKeysService }],
  exports: [IdempotencyKeys],
})
export class IdempotencyModule {}
