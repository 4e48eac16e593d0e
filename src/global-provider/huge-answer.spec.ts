import { readInSmallHeap } from '../../test/support/huge-answer.js';

describe('an answer of 55 MiB', () => {
  it('is read whole in a heap that is smaller than its text', async () => {
    const { rows, complete, problems, bodyMib, heapMib } = await readInSmallHeap('global');
    expect({ rows, complete, problems }).toEqual({ rows: 5_000, complete: true, problems: [] });
    expect(heapMib).toBeLessThan(bodyMib);
  });
});
