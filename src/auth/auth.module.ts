import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { AccessGuard } from './access.guard.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeys } from './api-keys.service.js';
import { Authenticator } from './authenticator.js';
import { DeclaredAccessService } from './declared-access.service.js';
import { KnownCallers } from './known-callers.js';
import { OpenStreams } from '../http/streams/open-streams.js';
import { MeController } from './me.controller.js';
import { OpenStreamsService } from './open-streams.service.js';
import { PasswordAttemptsService } from './password-attempts.service.js';
import { RateLimiter } from './rate-limiter.js';
import { Sessions } from './sessions.service.js';
import { SignIn } from './sign-in.service.js';
import { SignUp } from './sign-up.service.js';
import { Users } from './users.service.js';

@Module({
  imports: [DiscoveryModule],
  controllers: [MeController],
  providers: [
    ApiKeys,
    ApiKeyGuard,
    Authenticator,
    DeclaredAccessService,
    KnownCallers,
    { provide: OpenStreams, useClass: OpenStreamsService },
    PasswordAttemptsService,
    RateLimiter,
    Sessions,
    SignIn,
    SignUp,
    Users,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [ApiKeys, OpenStreams, PasswordAttemptsService, Sessions, SignIn, SignUp, Users],
})
export class AuthModule {}
