import { Module } from '@nestjs/common';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeys } from './api-keys.service.js';
import { Authenticator } from './authenticator.js';
import { KnownCallers } from './known-callers.js';
import { MeController } from './me.controller.js';
import { OpenStreamsService } from './open-streams.service.js';
import { RateLimiter } from './rate-limiter.js';
import { Sessions } from './sessions.service.js';
import { SignIn } from './sign-in.service.js';
import { SignInThrottle } from './sign-in-throttle.js';
import { SignUp } from './sign-up.service.js';
import { Users } from './users.service.js';

@Module({
  controllers: [MeController],
  providers: [
    ...[ApiKeys, ApiKeyGuard, Authenticator, KnownCallers, OpenStreamsService, RateLimiter, Users],
    ...[Sessions, SignIn, SignInThrottle, SignUp],
  ],
  exports: [ApiKeys, ApiKeyGuard, Authenticator, OpenStreamsService, RateLimiter, Sessions, SignIn, SignUp, Users],
})
export class AuthModule {}
