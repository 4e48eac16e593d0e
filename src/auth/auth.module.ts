import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { AccessGuard } from './access.guard.js';
import { AuditEventsController } from './audit/audit-events.controller.js';
import { AuditEventsRepository } from './audit/audit-events.repository.js';
import { AuditTrailService } from './audit/audit-trail.service.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeysService } from './api-keys.service.js';
import { ApiKeyAuthenticationService } from './api-key-authentication.service.js';
import { DeclaredAccessService } from './declared-access.service.js';
import { CallerCache } from './caller-cache.js';
import { ExportsService } from '../http/export/exports.service.js';
import { RecordExportService } from '../http/export/record-export.service.js';
import { OpenStreams } from '../http/streams/open-streams.js';
import { MeController } from './me.controller.js';
import { OpenStreamsService } from './open-streams.service.js';
import { PageSessions } from './page-session.js';
import { PasswordAttemptsService } from './password-attempts.service.js';
import { PasswordConfirmationService } from './password-confirmation.service.js';
import { RequestLimiterService } from './request-limiter.service.js';
import { SecondFactor } from './second-factor/second-factor.entity.js';
import { SecondFactorService } from './second-factor/second-factor.service.js';
import { StoredSession } from './session.entity.js';
import { SessionsService } from './sessions.service.js';
import { SignInService } from './sign-in.service.js';
import { SignUpService } from './sign-up.service.js';
import { ToolsService } from './tools.service.js';
import { User } from './user.entity.js';
import { UsersService } from './users.service.js';

/** `UsersRepository`, `SessionsRepository` and `SecondFactorsRepository`. */
const REPOSITORIES = MikroOrmModule.forFeature([User, StoredSession, SecondFactor]);

/** What other folders use. */
const SHARED = [
  ApiKeysService,
  AuditEventsRepository,
  AuditTrailService,
  ExportsService,
  PageSessions,
  PasswordAttemptsService,
  PasswordConfirmationService,
  RecordExportService,
  RequestLimiterService,
  SecondFactorService,
  SessionsService,
  SignInService,
  SignUpService,
  ToolsService,
  UsersService,
];

@Module({
  imports: [DiscoveryModule, REPOSITORIES],
  controllers: [AuditEventsController, MeController],
  providers: [
    ...SHARED,
    ApiKeyAuthenticationService,
    ApiKeyGuard,
    CallerCache,
    DeclaredAccessService,
    { provide: OpenStreams, useClass: OpenStreamsService },
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [...SHARED, OpenStreams, REPOSITORIES],
})
export class AuthModule {}
