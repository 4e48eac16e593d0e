import { changedChoiceOf, changedTextOf, ownPath, rawTextOf, textOf, textsOf } from './form-fields.js';

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

  it.each([
    ['left as it was shown, while another tab changed it', { name: 'old', name_was: 'old' }, 'new', undefined],
    ['changed', { name: 'mine', name_was: 'old' }, 'new', 'mine'],
    ['emptied', { name: '', name_was: 'old' }, 'old', ''],
    ['changed to what is stored already', { name: 'new', name_was: 'old' }, 'new', undefined],
    ['of a form that does not say what it showed', { name: 'old' }, 'new', 'old'],
  ])('gives a text that was %s', (_, body, stored, changed) =>
    expect(changedTextOf(body, 'name', stored)).toBe(changed),
  );

  it('gives a box that was ticked or cleared', () => {
    expect(changedChoiceOf({ hidden: 'on', hidden_was: '' }, 'hidden', false)).toBe(true);
    expect(changedChoiceOf({ hidden_was: 'on' }, 'hidden', true)).toBe(false);
    expect(changedChoiceOf({ hidden_was: '' }, 'hidden', true)).toBeUndefined();
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '', '/a b', ['/a'], undefined])(
    'follows %j to no other site',
    (path) => expect(ownPath(path)).toBe('/'),
  );

  it('follows a path of its own', () => expect(ownPath('/accounts/1?range=all')).toBe('/accounts/1?range=all'));
});
