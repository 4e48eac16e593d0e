import { afterThisTest } from '../../../test/support/after-this-test.js';
import { providerIn } from '../../../test/support/provider-in.js';
import { startScriptedServer } from '../../../test/support/scripted-server.js';
import { Secret } from '../../platform/config/secret.js';
import { usProvider } from './us-provider.module.js';

function token(url: string): Secret {
  return new Secret(Buffer.from(`${url}/simplefin/claim/CODE`).toString('base64'));
}

describe('the US provider module', () => {
  it('the US provider allows only its own hosts and no private network by default', async () => {
    const provider = await providerIn(usProvider, {});
    await expect(provider.connect(token('https://evil.test'))).rejects.toThrow(/host that is not allowed/);
    await expect(provider.connect(token('http://127.0.0.1:1'))).rejects.toThrow(/must use https/);
  });

  it('the US provider takes allowed hosts and private network access from the configuration', async () => {
    const server = await startScriptedServer();
    afterThisTest(server.stop);
    const accessUrl = `${server.url.replace('//', '//user:password@')}/simplefin`;
    server.play({ body: accessUrl });
    const provider = await providerIn(usProvider, {
      USPROVIDER_ALLOWED_HOSTS: '127.0.0.1',
      PROVIDER_ALLOW_PRIVATE_NETWORK: '1',
    });
    expect((await provider.connect(token(server.url))).reveal()).toBe(accessUrl);
  });
});
