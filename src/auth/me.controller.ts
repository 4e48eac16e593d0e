import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Config } from '../config/config.js';
import { ApiKeysService } from './api-keys.service.js';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { MeResponse, toMeResponse } from './me.response.js';
import { RequireApiKey } from './require-scope.decorator.js';
import { UsersService } from './users.service.js';

@ApiTags('Me')
@Controller('api/v1/me')
export class MeController {
  constructor(
    private readonly users: UsersService,
    private readonly keys: ApiKeysService,
    private readonly config: Config,
  ) {}

  @Get()
  @RequireApiKey()
  @ApiOperation({
    operationId: 'getMe',
    summary: 'See whose key this is and what it may do',
    description: 'For any valid key, whatever its scopes.',
  })
  @ApiResponse({ status: 200, description: 'User, key and limits.', type: MeResponse })
  async get(@CurrentCaller() { userId, apiKeyId }: Caller): Promise<MeResponse> {
    const user = await this.users.find(userId);
    const key = await this.keys.find(userId, apiKeyId);
    return toMeResponse(user, key, this.config.rateLimitPerMinute);
  }
}
