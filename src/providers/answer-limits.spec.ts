import { SnapshotSize } from './answer-limits.js';

describe('SnapshotSize', () => {
  it('the answers of one sync may have 300,000 transactions and holdings together', () => {
    const size = new SnapshotSize();
    const refusal = expect.objectContaining({
      ...{ kind: 'answer_too_large', message: expect.stringMatching(/300,000 .* in one sync\. The next sync fetches/) },
    });
    for (let answer = 0; answer < 3; answer++) size.add(100_000);
    size.refuseMore();
    expect(() => size.add(1)).toThrow(refusal);
    expect(() => size.refuseMore()).toThrow(refusal);
  });
});
