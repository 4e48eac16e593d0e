import { Global, Module } from '@nestjs/common';
import { IdempotencyKeys } from '../http/idempotency/idempotency.interceptor.js';
import { IdempotencyKeysQueries } from './idempotency-keys.queries.js';
import { IdempotencyKeysService } from './idempotency-keys.service.js';

/** Global: the interceptor of every POST needs it. */
@Global()
@Module({
  providers: [IdempotencyKeysQueries, { provide: IdempotencyKeys, useClass: IdempotencyKeysService }],
  exports: [IdempotencyKeys],
})
export class IdempotencyModule {}
