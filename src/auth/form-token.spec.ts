import { formToken, isFormToken } from './form-token.js';

describe('the token in a form', () => {
  it('belongs to one session', () => {
    expect(isFormToken(formToken('one'), 'one')).toBe(true);
    expect(isFormToken(formToken('one'), 'another')).toBe(false);
  });

  it('looks different on every page', () => {
    expect(formToken('one')).not.toBe(formToken('one'));
  });

  it.each(['', 'x', '§§', formToken('one').slice(0, -2), `${formToken('one')}AA`])('is not %j', (text) => {
    expect(isFormToken(text, 'one')).toBe(false);
  });
});
