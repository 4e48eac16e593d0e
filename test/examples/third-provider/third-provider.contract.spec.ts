import { Secret } from '../../../src/platform/config/secret.js';
import { describeBankProvider } from '../../providers/contracts/bank-provider.contract.js';
import { providerIn } from '../../support/provider-in.js';
import { addTo, startFakeThirdProvider, TODAY, TOKEN } from './fake-third-provider.js';
import { thirdProvider } from './third-provider.module.js';

const TOO_LARGE = { id: 'T-large', account_id: 'A-1', date: TODAY, amount: '1000000000000.01' };

describeBankProvider('the third provider', async () => {
  const server = await startFakeThirdProvider();
  const environment = { THIRDPROVIDER_BASE_URL: `${server.url}/v1`, PROVIDER_ALLOW_PRIVATE_NETWORK: '1' };
  return {
    descriptor: thirdProvider,
    provider: await providerIn(thirdProvider, environment),
    pasted: () => new Secret(` ${TOKEN}\n`),
    nonsense: new Secret('Where do I find my token?'),
    today: TODAY,
    server,
    isForTransactions: ({ path }) => path.endsWith('/transactions'),
    addUnreadableAccount: () => server.break(addTo('accounts', { name: 'Without an id' })),
    addUnreadableTransaction: () => server.break(addTo('transactions', { id: 'T-odd', account_id: 'A-1' })),
    addTooLargeTransaction: () => server.break(addTo('transactions', TOO_LARGE)),
  };
});
