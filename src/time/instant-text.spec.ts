import { instantText } from './instant-text.js';

describe('the text of an instant', () => {
  it.each([
    [0, '1970-01-01T00:00:00.000Z'],
    [1772432224.211, '2026-03-02T06:17:04.211Z'],
    [1772432224.2106, '2026-03-02T06:17:04.211Z'],
  ])('%d seconds after 1970 began is %s', (seconds, text) => {
    expect(instantText(seconds)).toBe(text);
  });
});
