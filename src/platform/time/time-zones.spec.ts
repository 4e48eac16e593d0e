import { timeZoneNamed } from './time-zones.js';

describe('timeZoneNamed', () => {
  it.each([
    ['Europe/Prague', 'Europe/Prague'],
    ['eUROPE/pRAGUE', 'Europe/Prague'],
    ['utc', 'UTC'],
    ['asia/calcutta', 'Asia/Kolkata'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Mars/Olympus', null],
    ['', null],
    ['+02:00', null],
  ])('the timezone %j is stored as %j', (text, name) => {
    expect(timeZoneNamed(text)).toBe(name);
  });
});
