import { visibleText } from './validators.js';

describe('visibleText', () => {
  it.each([
    ['of blanks', ' \t\n\u00a0\u3000'],
    ['of a zero-width space and a joiner', '\u200b\u200d'],
    ['of marks of direction', '\u200f\u202e\u2066'],
    ['of a Hangul filler', '\u3164'],
    ['of a soft hyphen and a variation selector', '\u00ad\ufe0f'],
    ['of tags', '\u{e0061}\u{e007f}'],
    ['of the Braille blank', '\u2800'],
    ['of control characters', '\u0007\u0085'],
  ])('a text that consists only %s is read as empty', (_, text) => expect(visibleText(text)).toBe(''));

  it('visible text loses the white space around it and keeps the characters that join its letters', () => {
    expect(visibleText('  Our\u00a0banks ')).toBe('Our\u00a0banks');
    expect(visibleText(' 👩‍👩‍👧 ❤️ ')).toBe('👩‍👩‍👧 ❤️');
    expect(visibleText('\u200fحساب التوفير')).toBe('\u200fحساب التوفير');
  });
});
