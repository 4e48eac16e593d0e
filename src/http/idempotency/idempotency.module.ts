import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Global, Module } from '@nestjs/common';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { IdempotencyKeysService } from './idempotency-keys.service.js';

/** Global: the interceptor of every POST needs it. */
@Global()
@Module({
  imports: [MikroOrmModule.forFeature([IdempotencyKey])],
  providers: [IdempotencyKeysService],
  exports: [IdempotencyKeysService],
})
export class IdempotencyModule {}
