import { describeProviderPage } from '../../../test/providers/contracts/documented-tests.contract.js';

describeProviderPage({
  path: 'docs/inside/us-provider.md',
  folder: 'src/providers/us-provider',
  scenarios: 'Scenarios of the US provider',
  faults: 24,
  traps: 33,
});
