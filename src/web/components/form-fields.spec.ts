import { ownPath, rawTextOf, textOf, textsOf } from './form-fields.js';

describe('form fields', () => {
  it('a form field is read as text or as a list of texts, and anything else as empty', () => {
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
    'a redirect to %j leads to the home page instead',
    (path) => expect(ownPath(path)).toBe('/'),
  );

  it('a redirect to a path of Tidemark is followed', () =>
    expect(ownPath('/accounts/1?range=all')).toBe('/accounts/1?range=all'));
});
