import { instantText, isInstantText } from './instant-text.js';

describe('instantText', () => {
  it.each([
    [0, '1970-01-01T00:00:00.000Z'],
    [1772432224.211, '2026-03-02T06:17:04.211Z'],
    [1772432224.2106, '2026-03-02T06:17:04.211Z'],
  ])('the instant %d seconds after 1970 began is written as %s', (seconds, text) => {
    expect(instantText(seconds)).toBe(text);
  });
});

describe('isInstantText', () => {
  it.each(['2026-03-02T06:17:04.211Z', '2026-03-02T06:17Z', '2026-03-02T23:59:59+14:00', '0001-01-01T00:00:00Z'])(
    '%s is an instant',
    (text) => expect(isInstantText(text)).toBe(true),
  );

  it.each([
    ['without an offset', '2026-03-02T06:17:04'],
    ['on a day that does not exist', '2026-02-30T06:17:04Z'],
    ['in the hour 24', '2026-03-02T24:00:00Z'],
    ['in a leap second', '2026-03-02T23:59:60Z'],
    ['with an offset of days', '2026-03-02T06:17:04+99:99'],
  ])('a time %s is not an instant', (_, text) => expect(isInstantText(text)).toBe(false));
});
