import { Global, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterThisTest } from '../../test/after-this-test.js';
import { startScriptedServer } from '../../test/scripted-server.js';
import { Secret } from '../bank-provider/secret.js';
import { Config, readConfig } from '../config.js';
import { Clock, SystemClock } from '../time/clock.js';
import { UsProvider } from './us-provider.js';
import { UsProviderModule } from './us-provider.module.js';

async function providerIn(environment: NodeJS.ProcessEnv): Promise<UsProvider> {
  const surroundings = [
    { provide: Config, useValue: readConfig({}, environment) },
    { provide: Clock, useValue: new SystemClock() },
  ];
  @Global()
  @Module({ providers: surroundings, exports: surroundings })
  class Surroundings {}
  const module = await Test.createTestingModule({ imports: [Surroundings, UsProviderModule] }).compile();
  return module.get(UsProvider);
}

function token(url: string): Secret {
  return new Secret(Buffer.from(`${url}/simplefin/claim/CODE`).toString('base64'));
}

describe('the module of the US provider', () => {
  it('allows by default no other hosts than the provider’s, and no private network', async () => {
    const provider = await providerIn({});
    await expect(provider.connect(token('https://evil.test'))).rejects.toThrow(/host that is not allowed/);
    await expect(provider.connect(token('http://127.0.0.1:1'))).rejects.toThrow(/must use https/);
  });

  it('takes hosts and network from the configuration', async () => {
    const server = await startScriptedServer();
    afterThisTest(server.stop);
    const accessUrl = `${server.url.replace('//', '//user:password@')}/simplefin`;
    server.play({ body: accessUrl });
    const provider = await providerIn({ USPROVIDER_ALLOWED_HOSTS: '127.0.0.1', PROVIDER_ALLOW_PRIVATE_NETWORK: '1' });
    expect((await provider.connect(token(server.url))).reveal()).toBe(accessUrl);
  });
});
