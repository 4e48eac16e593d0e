import { numberedName } from './numbered-name.js';

describe('numberedName', () => {
  it.each([
    ['US banks', [], 'US banks'],
    ['Banks worldwide', ['US banks'], 'Banks worldwide'],
    ['US banks', ['US banks'], 'US banks 2'],
    ['US banks', ['US banks', 'US banks 2', 'Ours'], 'US banks 3'],
    ['US banks', ['US banks 2'], 'US banks'],
  ])('the name %s beside %p becomes %s', (name, taken, free) => expect(numberedName(name, taken)).toBe(free));
});
