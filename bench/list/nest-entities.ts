import 'reflect-metadata';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { EntityManager, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { ClassSerializerInterceptor, Controller, Get, Headers, Module, Query, UseInterceptors } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Expose, plainToInstance, Transform } from 'class-transformer';
import { Account } from '../../src/balances/accounts/account.entity.js';
import { hashApiKey } from '../../src/auth/api-key.js';
import { ApiKey } from '../../src/auth/api-key.entity.js';
import { Balance } from '../../src/balances/record/balance.entity.js';
import { readConfig } from '../../src/platform/config/config.js';
import { ormOptions } from '../../src/database/orm-options.js';
import { MODULES, ROOMS } from '../../src/modules.js';
import { entitiesOf } from '../../src/platform/module.js';
import { currencyText } from '../../src/platform/money/currency-text.js';

// The same list as a usual project writes it: entities found and counted, a response class with decorators.

const AMOUNTS = [
  ...['startCash', 'startNonCash', 'cashInflows', 'cashOutflows', 'nonCashInflows', 'nonCashOutflows'],
  ...['netMarketFlows', 'cashAdjustments', 'nonCashAdjustments', 'endCash', 'endNonCash'],
] as const;

class BalanceDto {
  @Expose() id: string;
  @Expose() date: string;
  @Expose() currency: string;
  @Expose() flowsFactor: number;
  @Expose() account: { id: string; name: string; accountType: string | null };
  @Expose() @Transform(({ value }: { value: Date }) => value.toISOString(), { toClassOnly: true }) createdAt: string;
  @Expose() @Transform(({ value }: { value: Date }) => value.toISOString(), { toClassOnly: true }) updatedAt: string;
}
for (const amount of AMOUNTS) {
  Expose()(BalanceDto.prototype, amount);
  Expose({ name: `${amount}Text` })(BalanceDto.prototype, `${amount}Text`);
  Transform(
    ({ obj }: { obj: Record<string, number> & { currency: string } }) => currencyText(obj[amount]!, obj.currency),
    { toClassOnly: true },
  )(BalanceDto.prototype, `${amount}Text`);
}

@Controller('api/v1/balances')
@UseInterceptors(ClassSerializerInterceptor)
class BalancesController {
  constructor(private readonly em: EntityManager) {}

  @Get()
  async list(@Headers('x-api-key') key: string, @Query('per_page') perPage: string) {
    const { userId } = await this.em.findOneOrFail(ApiKey, { keyHash: hashApiKey(key) });
    const [balances, total] = await this.em.findAndCount(
      Balance,
      { userId },
      { orderBy: { date: 'desc', accountId: 'asc' }, limit: Number(perPage), offset: 0 },
    );
    const accounts = await this.em.find(Account, { userId, id: { $in: balances.map(({ accountId }) => accountId) } });
    const byId = new Map(accounts.map((account) => [account.id, account]));
    const rows = balances.map((balance) => ({ ...balance, account: byId.get(balance.accountId) }));
    return {
      balances: plainToInstance(BalanceDto, rows, { excludeExtraneousValues: true }),
      pagination: { page: 1, perPage: Number(perPage), total, pages: Math.ceil(total / Number(perPage)) },
    };
  }
}

const [url] = process.argv.slice(2);
@Module({
  imports: [
    MikroOrmModule.forRoot({
      ...ormOptions({ clientUrl: url! }, readConfig([], []).database, { entities: entitiesOf([...ROOMS, ...MODULES]) }),
      driver: PostgreSqlDriver,
    }),
  ],
  controllers: [BalancesController],
})
class PeerModule {}

const app = await NestFactory.create(PeerModule, { logger: ['error'] });
await app.listen(0, '127.0.0.1');
process.stdout.write(`listening on ${(await app.getUrl()).replace('[::1]', '127.0.0.1')}\n`);
