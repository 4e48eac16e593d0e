import { Global, Module } from '@nestjs/common';
import { defineModule, ExchangeRates } from '../../kit.js';
import { Migration20261129000002Rates } from './20261129000002-rates.js';
import { ExchangeRatesService, RATES_SETTINGS } from './exchange-rates.service.js';

/** Global, so that net worth finds the rates that it asks for. */
@Global()
@Module({ providers: [{ provide: ExchangeRates, useClass: ExchangeRatesService }], exports: [ExchangeRates] })
class RatesModule {}

export const rates = defineModule({
  name: 'rates',
  module: RatesModule,
  settings: RATES_SETTINGS,
  migrations: [Migration20261129000002Rates],
});
