import { formToken, isFormToken } from './form-token.js';

describe('form tokens', () => {
  it('a form token is valid for one session only', () => {
    expect(isFormToken(formToken('one'), 'one')).toBe(true);
    expect(isFormToken(formToken('one'), 'another')).toBe(false);
  });

  it('a form token is different on every page', () => {
    expect(formToken('one')).not.toBe(formToken('one'));
  });

  it.each(['', 'x', '§§', formToken('one').slice(0, -2), `${formToken('one')}AA`])(
    'the text %j is not a valid form token',
    (text) => {
      expect(isFormToken(text, 'one')).toBe(false);
    },
  );
});
