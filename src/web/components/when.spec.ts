import { jest } from '@jest/globals';
import { momentText } from './when.js';

describe('momentText', () => {
  it('all spellings of a timezone share one date format', () => {
    momentText('2026-03-02T23:30:00Z', 'Europe/Prague');
    const made = jest.spyOn(Intl, 'DateTimeFormat');
    const zones = ['eUROPE/pRAGUE', 'EUROPE/PRAGUE', 'europe/prague'];
    const texts = zones.map((zone) => momentText('2026-03-02T23:30:00Z', zone));
    const formats = made.mock.calls.length;
    made.mockRestore();
    expect([texts, formats]).toEqual([zones.map(() => '3 Mar 2026, 00:30'), 0]);
  });
});
