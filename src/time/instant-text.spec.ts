import { instantText } from './instant-text.js';

describe('the text of an instant', () => {
  it.each([
    [0, '1970-01-01T00:00:00.000Z'],
    [1772432224.211, '2026-03-02T06:17:04.211Z'],
    [1772432224.2106, '2026-03-02T06:17:04.211Z'],
  ])('%d seconds after 1970 began is %s', (seconds, text) => {
    expect(instantText(seconds)).toBe(text);
  });

  it('stays true however many were asked for', () => {
    for (let second = 0; second < 3_000; second++)
      expect(instantText(second)).toBe(new Date(second * 1000).toISOString());
    expect(instantText(1)).toBe('1970-01-01T00:00:01.000Z');
  });
});
