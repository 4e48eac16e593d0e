import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Global, Module } from '@nestjs/common';
import { IdempotencyKeys } from './idempotency.interceptor.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { IdempotencyKeysService } from './idempotency-keys.service.js';

/** Global: the interceptor of every POST needs it. */
@Global()
@Module({
  imports: [MikroOrmModule.forFeature([IdempotencyKey])],
  providers: [IdempotencyKeysService, { provide: IdempotencyKeys, useExisting: IdempotencyKeysService }],
  exports: [IdempotencyKeys, IdempotencyKeysService],
})
export class IdempotencyModule {}
