import { describeProviderPage } from '../../../test/providers/contracts/documented-tests.contract.js';

describeProviderPage({
  path: 'docs/inside/global-provider.md',
  folder: 'src/providers/global-provider',
  scenarios: 'Scenarios of the global provider',
  faults: 22,
  traps: 32,
});
