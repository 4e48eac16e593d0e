import { defaultName } from './default-name.js';

describe('the name of a connection that nobody has named', () => {
  it.each([
    ['us_provider', [], 'US banks'],
    ['global_provider', ['US banks'], 'Banks worldwide'],
    ['us_provider', ['US banks'], 'US banks 2'],
    ['us_provider', ['US banks', 'US banks 2', 'Ours'], 'US banks 3'],
    ['us_provider', ['US banks 2'], 'US banks'],
  ])('%s, beside %p: %s', (provider, taken, name) => expect(defaultName(provider, taken)).toBe(name));
});
