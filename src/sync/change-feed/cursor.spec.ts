import { cursorSeal, feedCursorText, parseFeedCursor } from './cursor.js';

const ACCOUNT = '7b0c1f5e-2f4d-4c1e-9a53-0d7f6c1b2a90';

describe('parseFeedCursor', () => {
  const seal = cursorSeal('epoch', 'person');

  it('a cursor is parsed to the position it was written with, between pages and within one', () => {
    const page = { upto: 9, kind: 'balances', accountId: ACCOUNT, after: '2026-03-01' } as const;
    for (const cursor of [
      { done: 7, page: null },
      { done: null, page },
      { done: 7, page: { ...page, accountId: null, after: null } },
    ]) {
      expect(parseFeedCursor(feedCursorText(seal, cursor), seal)).toEqual({ ...cursor, isForeign: false });
    }
  });

  it.each([
    ['another person', cursorSeal('epoch', 'somebody else')],
    ['a restored database', cursorSeal('restored', 'person')],
  ])('a cursor of %s is foreign', (_, other) => {
    expect(parseFeedCursor(feedCursorText(other, { done: 7, page: null }), seal)).toMatchObject({ isForeign: true });
  });

  it('a cursor followed by other characters is rejected', () => {
    const text = feedCursorText(seal, { done: 7, page: null });
    expect(['!', '=', '\n', 'A'].map((more) => parseFeedCursor(text + more, seal))).toEqual([null, null, null, null]);
  });

  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it.each(['', '17', 'nonsense', encoded({}), encoded([2, seal, 7]), encoded([1, seal, -1]), encoded([1, seal, 1.5])])(
    'the text %j is not a cursor',
    (text) => {
      expect(parseFeedCursor(text, seal)).toBeNull();
    },
  );

  it.each([
    ['of an unknown kind', [1, seal, 7, 9, 'money', null, null]],
    ['whose key is not a day', [1, seal, 7, 9, 'balances', ACCOUNT, "'; drop table"]],
    ['with an extra part', [1, seal, 7, null]],
    ['with an extra part of its page', [1, seal, 7, 9, 'balances', null, null, null]],
    ['whose account is not an id', [1, seal, 7, 9, 'transactions', 'x', null]],
  ])('a cursor %s is rejected', (_, parts) => {
    expect(parseFeedCursor(encoded(parts), seal)).toBeNull();
  });
});
