import { ownPath, rawTextOf, textOf, textsOf } from './form-fields.js';

describe('a form', () => {
  it('gives texts and nothing else', () => {
    const body = { name: ' Anna ', password: ' x ', scopes: ['a', 'b'], one: 'a' };
    expect(textOf(body, 'name')).toBe('Anna');
    expect(rawTextOf(body, 'password')).toBe(' x ');
    expect(textOf(body, 'scopes')).toBe('');
    expect(textsOf(body, 'scopes')).toEqual(['a', 'b']);
    expect(textsOf(body, 'one')).toEqual(['a']);
    expect(textsOf(body, 'none')).toEqual([]);
    expect(textOf(undefined, 'name')).toBe('');
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '', '/a b', ['/a'], undefined])(
    'follows %j to no other site',
    (path) => expect(ownPath(path)).toBe('/'),
  );

  it('follows a path of its own', () => expect(ownPath('/accounts/1?range=all')).toBe('/accounts/1?range=all'));
});
