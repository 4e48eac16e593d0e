import { cursorPage, parseCursor } from './cursor.js';

const isPlace = (texts: readonly string[]): texts is readonly [string] => texts.length === 1;

describe('cursorPage', () => {
  it('the content of a cursor is unchanged for its version', () => {
    const query = { cursor: 'first', page: 1, per_page: 5, currency: ['USD'], sort: undefined };
    const position = parseCursor('0b6f0d5e-0000-4000-8000-000000000001', 'balances', query, isPlace)!;
    const { next_cursor: cursor } = cursorPage(position, query, { count: 5, totalCount: 12, after: ['2026-03-01'] });
    // Raise the version whenever this text changes.
    expect(Buffer.from(cursor!, 'base64url').toString()).toBe('[2,"PQkkr1TSGh_wNu-O",5,12,"2026-03-01"]');
  });
});
