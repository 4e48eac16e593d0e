import { certaintyRanges, ESTIMATED, KNOWN, UNKNOWN } from './certainty.js';

describe('certaintyRanges', () => {
  it('consecutive days of the same certainty form one range', () => {
    const certainty = Uint8Array.of(ESTIMATED, ESTIMATED, KNOWN, UNKNOWN, UNKNOWN, KNOWN);

    expect(certaintyRanges({ firstDay: 100, certainty })).toEqual([
      { from: 100, until: 101, certainty: ESTIMATED },
      { from: 102, until: 102, certainty: KNOWN },
      { from: 103, until: 104, certainty: UNKNOWN },
      { from: 105, until: 105, certainty: KNOWN },
    ]);
  });

  it('a history without days has no certainty ranges', () => {
    expect(certaintyRanges({ firstDay: 100, certainty: new Uint8Array() })).toEqual([]);
  });
});
