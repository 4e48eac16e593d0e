import { Module } from '@nestjs/common';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeys } from './api-keys.service.js';
import { Authenticator } from './authenticator.js';
import { KnownCallers } from './known-callers.js';
import { MeController } from './me.controller.js';
import { Users } from './users.service.js';

@Module({
  controllers: [MeController],
  providers: [ApiKeys, ApiKeyGuard, Authenticator, KnownCallers, Users],
  exports: [ApiKeys, ApiKeyGuard, Authenticator, Users],
})
export class AuthModule {}
