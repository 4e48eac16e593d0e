import { readInSmallHeap } from '../../test/support/huge-answer.js';

describe('memory use of the US provider', () => {
  it('a US provider response of 55 MiB is read in a heap that is smaller than its text', async () => {
    const { rows, complete, problems, bodyMib, heapMib } = await readInSmallHeap('us');
    expect({ rows, complete, problems }).toEqual({ rows: 5_000, complete: true, problems: [] });
    expect(heapMib).toBeLessThan(bodyMib);
  });
});
