import { Module } from '@nestjs/common';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeys } from './api-keys.service.js';
import { Users } from './users.service.js';

@Module({
  providers: [ApiKeys, ApiKeyGuard, Users],
  exports: [ApiKeys, ApiKeyGuard, Users],
})
export class AuthModule {}
