import { changedChoiceOf, changedTextOf, ownPath, rawTextOf, textOf, textsOf } from './form-fields.js';

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

  it.each([
    ['left as it was shown, while another tab changed it', { name: 'old', name_was: 'old' }, 'new', undefined],
    ['changed', { name: 'mine', name_was: 'old' }, 'new', 'mine'],
    ['emptied', { name: '', name_was: 'old' }, 'old', ''],
    ['changed to the stored value', { name: 'new', name_was: 'old' }, 'new', undefined],
    ['sent without the value that the form showed', { name: 'old' }, 'new', 'old'],
  ])('a text field that was %s (%j, stored %j) is changed to %j', (_, body, stored, changed) =>
    expect(changedTextOf(body, 'name', stored)).toBe(changed),
  );

  it('a checkbox is changed only if it was ticked or cleared', () => {
    expect(changedChoiceOf({ hidden: 'on', hidden_was: '' }, 'hidden', false)).toBe(true);
    expect(changedChoiceOf({ hidden_was: 'on' }, 'hidden', true)).toBe(false);
    expect(changedChoiceOf({ hidden_was: '' }, 'hidden', true)).toBeUndefined();
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '', '/a b', ['/a'], undefined])(
    'a redirect to %j leads to the home page instead',
    (path) => expect(ownPath(path)).toBe('/'),
  );

  it('a redirect to a path of Tidemark is followed', () =>
    expect(ownPath('/accounts/1?range=all')).toBe('/accounts/1?range=all'));
});
