import { EntityManager } from '@mikro-orm/postgresql';
import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { reader } from '../database/reader.js';
import { Config } from '../config/config.js';
import { ApiKey } from './api-key.entity.js';
import { type Caller, CurrentCaller } from '../http/caller.js';
import { MeResponse, toMeResponse } from './me.response.js';
import { RequireApiKey } from './require-scope.decorator.js';
import { User } from './user.entity.js';

@ApiTags('Me')
@Controller('api/v1/me')
export class MeController {
  constructor(
    private readonly em: EntityManager,
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
    const em = reader(this.em);
    const user = await em.findOneOrFail(User, { id: userId });
    const key = await em.findOneOrFail(ApiKey, { userId, id: apiKeyId });
    return toMeResponse(user, key, this.config.rateLimitPerMinute);
  }
}
