import { namesTag, weakTag } from './conditional-get.service.js';

describe('a weak entity tag', () => {
  const tag = weakTag(['7', '/api/v1/balances']);

  it('is the same for the same parts only', () => {
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
    expect(weakTag(['7', '/api/v1/balances'])).toBe(tag);
    expect(weakTag(['7/', 'api/v1/balances'])).not.toBe(tag);
  });

  it.each([
    ['alone', tag],
    ['in its strong form', tag.slice(2)],
    ['in a list', `"other", ${tag} ,W/"third"`],
  ])('is found %s', (_, header) => expect(namesTag(header, tag)).toBe(true));

  it.each([[undefined], [''], ['*'], ['"other"'], [tag.slice(0, -1)]])('is not found in %j', (header) =>
    expect(namesTag(header, tag)).toBe(false),
  );
});
