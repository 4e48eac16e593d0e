import { LeftOutRows } from './transaction-history.js';

function answer(...items: unknown[]): LeftOutRows {
  const rows = new LeftOutRows();
  for (const item of items) rows.add(item);
  return rows;
}

describe('rows that are left out', () => {
  it('are counted once although every answer has them, and equal ones of one answer each', () => {
    const all = new LeftOutRows();
    all.merge(answer({ id: 'a' }, { id: 'b' }, { id: 'b' }));
    all.merge(answer({ id: 'b' }, { id: 'a' }));
    all.merge(answer({ id: 'b' }, { id: 'b' }, { id: 'c' }));
    expect(all.count).toBe(4);
  });

  it('may be nested however deeply', () => {
    const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown;
    expect(answer(deep, null, 'text').count).toBe(3);
  });
});
