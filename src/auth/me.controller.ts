import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Config } from '../platform/config/config.js';
import { DomainError } from '../platform/domain-error.js';
import { unauthorized } from '../http/errors/api-error.js';
import { ErrorResponse } from '../http/errors/error-response.js';
import { GivenWhole } from '../http/input/given.js';
import { TakesIdempotencyKey } from '../http/idempotency/idempotency.interceptor.js';
import { byHandler, LimitsAccounts } from './account-limits.guard.js';
import { MAX_OVERLAP_HOURS } from './api-key.js';
import { ApiKeysService } from './api-keys.service.js';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { MeResponse, RotatedKeyResponse, toMeResponse, toRotatedKeyResponse } from './me.response.js';
import { RequireApiKey } from './require-scope.decorator.js';
import { UsersRepository } from './users.repository.js';

class RotateKeyRequest {
  @GivenWhole({
    min: 1,
    max: MAX_OVERLAP_HOURS,
    example: 24,
    description: 'How long the current secret stays valid. To end it at once, rotate or revoke it on the page.',
  })
  overlap_hours: number;
}

@ApiTags('Me')
@Controller('api/v1/me')
export class MeController {
  constructor(
    private readonly users: UsersRepository,
    private readonly keys: ApiKeysService,
    private readonly config: Config,
  ) {}

  @Get()
  @LimitsAccounts(byHandler)
  @RequireApiKey()
  @ApiOperation({
    operationId: 'getMe',
    summary: 'Get the current API key and its user',
    description: 'For any valid key, whatever its scopes.',
  })
  @ApiResponse({ status: 200, description: 'User, key and limits.', type: MeResponse })
  async get(@CurrentCaller() { userId, apiKeyId }: Caller): Promise<MeResponse> {
    const user = await this.users.findById(userId);
    const key = await this.keys.find(userId, apiKeyId);
    // Deleted since the key was looked up.
    if (!user || !key) throw unauthorized('Send a valid API key in the X-Api-Key header.');
    // 0: unlimited.
    return toMeResponse({ user, key, requests_per_minute: this.config.rateLimitPerMinute || null });
  }

  @Post('rotate_key')
  @LimitsAccounts(byHandler)
  @RequireApiKey()
  @TakesIdempotencyKey()
  @ApiOperation({
    operationId: 'rotateKey',
    summary: 'Give this key a new secret',
    description:
      '**This cannot be undone.** For any valid key, whatever its scopes. Id, name, scopes, accounts, expiry and limits stay. Send an `Idempotency-Key`, so ' +
      'that a lost answer can be asked for again with the old secret. Streams and downloads that were opened with the ' +
      'old secret end with it.',
  })
  @ApiResponse({ status: 201, description: 'The key and its new secret.', type: RotatedKeyResponse })
  @ApiResponse({ status: 409, description: 'The secret you sent was replaced already.', type: ErrorResponse })
  async rotate(
    @CurrentCaller() { userId, apiKeyId, secretId }: Caller,
    @Body() { overlap_hours: overlapHours }: RotateKeyRequest,
  ): Promise<RotatedKeyResponse> {
    const rotated = await this.keys.rotate({ id: apiKeyId, userId, overlapHours, secretId });
    if (!rotated) throw new DomainError('conflict', 'This secret of the key was replaced already. Use the new one.');
    return toRotatedKeyResponse({ key: rotated.apiKey, secret: rotated.key });
  }
}
