import { describeProviderPage } from '../../test/contracts/documented-tests.contract.js';

describeProviderPage({
  path: 'docs/global-provider.md',
  folder: 'src/global-provider',
  scenarios: 'Scenarios of the global provider',
  faults: 22,
  traps: 32,
});
