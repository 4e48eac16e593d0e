import 'reflect-metadata';
import { Controller, Get, Module, Query, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ApiTags } from '@nestjs/swagger';
import express, { type Request } from 'express';
import { AccountsModule } from '../../src/balances/accounts/accounts.module.js';
import { AccountFilterQuery } from '../../src/balances/accounts/account-filter.query.js';
import { createApp } from '../../src/app.setup.js';
import { byFilter, LimitsAccounts } from '../../src/auth/account-limits.guard.js';
import { Public } from '../../src/auth/access.guard.js';
import { RequireScope } from '../../src/auth/require-scope.decorator.js';
import type { BalanceCollection } from '../../src/balances/record/balance.response.js';
import { listen } from '../../src/operate/bootstrap/listen.js';
import { AppSecrets } from '../../src/platform/config/app-secret.js';
import { readConfig } from '../../src/platform/config/config.js';
import { Secret } from '../../src/platform/config/secret.js';
import { ConditionalGetService } from '../../src/http/conditional-get/conditional-get.service.js';
import { Revisions } from '../../src/http/conditional-get/revisions.js';
import { defineModule } from '../../src/platform/module.js';
import { MODULES } from '../../src/modules.js';
import { PROVIDERS } from '../../src/providers/installed.js';
import { FirstPage } from './first-page.js';

// The same first page as of the floor, with one more layer of the service around it at each route.

const [layer, url, userId, headers] = process.argv.slice(2);
const PER_PAGE = 25;
const page = await FirstPage.of(url!, userId!);
const always = JSON.parse(headers!) as Record<string, string>;

@Controller('bare')
class BareController {
  @Get()
  read(@Req() request: Request): Promise<BalanceCollection> {
    request.res!.set(always);
    return page.read(PER_PAGE);
  }
}

@Module({ controllers: [BareController] })
class BareModule {}

@ApiTags('Layers')
@Controller('api/v1/layers')
class LayersController {
  constructor(
    private readonly conditionalGet: ConditionalGetService,
    private readonly revisions: Revisions,
  ) {}

  @Get('middlewares')
  @Public()
  afterMiddlewares(): Promise<BalanceCollection> {
    return page.read(PER_PAGE);
  }

  @Get('guards')
  @LimitsAccounts(byFilter)
  @RequireScope('balances:read')
  afterGuards(): Promise<BalanceCollection> {
    return page.read(PER_PAGE);
  }

  @Get('query')
  @LimitsAccounts(byFilter)
  @RequireScope('balances:read')
  afterQuery(@Query() { per_page }: AccountFilterQuery): Promise<BalanceCollection> {
    return page.read(per_page);
  }

  @Get('tag')
  @LimitsAccounts(byFilter)
  @RequireScope('balances:read')
  withTag(@Query() { per_page }: AccountFilterQuery, @Req() request: Request): Promise<BalanceCollection | undefined> {
    return this.conditionalGet.answerRevised(request, this.revisions, async () => {
      return { answer: await page.read(per_page), revision: '1' };
    });
  }
}

@Module({ imports: [AccountsModule], controllers: [LayersController] })
class LayersModule {}

async function serveExpress(): Promise<string> {
  const app = express().disable('etag').disable('x-powered-by');
  app.get('/bare', async (_request, response) => void response.set(always).json(await page.read(PER_PAGE)));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  return typeof address === 'object' ? `http://127.0.0.1:${address!.port}` : '';
}

async function serveNest(): Promise<string> {
  const app = await NestFactory.create<NestExpressApplication>(BareModule, { logger: ['error'], bodyParser: false });
  app.disable('etag').disable('x-powered-by');
  await app.listen(0, '127.0.0.1');
  return app.getUrl();
}

async function serveService(): Promise<string> {
  const environment = { PORT: '0', ROLE: 'api', SYNC_CRON: 'off', LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '1000000' };
  const config = readConfig(PROVIDERS, MODULES, {}, environment);
  const secrets = new AppSecrets([new Secret('the root secret of the benches')]);
  const layers = defineModule({ name: 'layers', module: LayersModule });
  return listen(await createApp({ config, secrets, database: { clientUrl: url! }, modules: [layers] }), config);
}

const serve = { express: serveExpress, nest: serveNest, service: serveService }[layer!];
process.stdout.write(`listening on ${await serve!()}\n`);
