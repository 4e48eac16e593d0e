import { certaintyRanges, ESTIMATED, KNOWN, UNKNOWN } from './certainty.js';

describe('certaintyRanges', () => {
  it('consecutive days of the same certainty and amount in doubt form one range', () => {
    const certainty = Uint8Array.of(ESTIMATED, ESTIMATED, ESTIMATED, KNOWN, UNKNOWN, UNKNOWN, KNOWN);
    // What was in doubt of a day that is known for another reason, or not at all, is not told.
    const doubt = Float64Array.of(-25, -25, 0, 30, 30, 0, 0);

    expect(certaintyRanges({ firstDay: 100, certainty, doubt })).toEqual([
      { from: 100, until: 101, certainty: ESTIMATED, doubtMinor: -25 },
      { from: 102, until: 102, certainty: ESTIMATED, doubtMinor: null },
      { from: 103, until: 103, certainty: KNOWN, doubtMinor: 0 },
      { from: 104, until: 105, certainty: UNKNOWN, doubtMinor: null },
      { from: 106, until: 106, certainty: KNOWN, doubtMinor: 0 },
    ]);
  });

  it('a history without days has no certainty ranges', () => {
    expect(certaintyRanges({ firstDay: 100, certainty: new Uint8Array(), doubt: new Float64Array() })).toEqual([]);
  });
});
