import { Module } from '@nestjs/common';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeys } from './api-keys.service.js';
import { Authenticator } from './authenticator.js';
import { KnownCallers } from './known-callers.js';
import { MeController } from './me.controller.js';
import { RateLimiter } from './rate-limiter.js';
import { Users } from './users.service.js';

@Module({
  controllers: [MeController],
  providers: [ApiKeys, ApiKeyGuard, Authenticator, KnownCallers, RateLimiter, Users],
  exports: [ApiKeys, ApiKeyGuard, Authenticator, RateLimiter, Users],
})
export class AuthModule {}
