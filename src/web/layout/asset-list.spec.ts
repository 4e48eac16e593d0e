import { ASSETS } from './asset-list.js';

interface Declaration {
  /** The query around it; empty: none. */
  media: string;
  selector: string;
  property: string;
}

/** Every declaration of a style sheet, in its order. */
function declarationsOf(style: string): Declaration[] {
  const declarations: Declaration[] = [];
  let media = '';
  for (const [, query, selectors = '', body = ''] of style
    .replaceAll(/\/\*.*?\*\//gs, '')
    .matchAll(/(@[^{};]+)\{(?=[^{}]*\{)|([^{}]+)\{([^{}]*)\}|\}/g)) {
    if (query !== undefined || selectors === '') media = query?.trim() ?? '';
    for (const selector of selectors.split(',').map((text) => text.trim())) {
      for (const text of body.split(';')) {
        const property = text.split(':')[0]!.trim();
        if (property) declarations.push({ media, selector, property });
      }
    }
  }
  return declarations;
}

describe('the style sheet', () => {
  it('declarations for some screens come after those for all screens in the style sheet', () => {
    const all = declarationsOf(ASSETS.style.body.toString());
    expect(new Set(all.map(({ media }) => media)).size).toBeGreaterThan(5);
    const overridden = all.filter(({ media, selector, property }, i) => {
      const isSame = (other: Declaration) => other.selector === selector && other.property === property;
      return media !== '' && all.slice(i).some((other) => other.media === '' && isSame(other));
    });
    expect(overridden).toEqual([]);
  });
});
