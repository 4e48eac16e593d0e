import { renderToString } from 'preact-render-to-string';
import { Sparkline } from './sparkline.js';

const pointsOf = (...values: number[]) => /points="([^"]*)"/.exec(renderToString(<Sparkline values={values} />))?.[1];

describe('Sparkline', () => {
  it('a sparkline uses its whole height, from the lowest value to the highest', () => {
    expect(pointsOf(300, 100, 200)).toBe('4,4 112,52 220,28');
    expect(pointsOf(-100, -300, -200)).toBe('4,4 112,52 220,28');
  });

  it('a sparkline of equal values is in the middle', () => expect(pointsOf(5, 5)).toBe('4,28 220,28'));

  it('one value has no line', () => expect(pointsOf(5)).toBeUndefined());
});
