import { namesTag, weakTag } from './conditional-get.service.js';

describe('weakTag and namesTag', () => {
  const tag = weakTag(['7', '/api/v1/balances']);

  it('a weak entity tag is equal only for equal parts', () => {
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
    expect(weakTag(['7', '/api/v1/balances'])).toBe(tag);
    expect(weakTag(['7/', 'api/v1/balances'])).not.toBe(tag);
  });

  it.each([
    ['alone', tag],
    ['in its strong form', tag.slice(2)],
    ['in a list', `"other", ${tag} ,W/"third"`],
  ])('an entity tag is found %s in If-None-Match', (_, header) => expect(namesTag(header, tag)).toBe(true));

  it.each([[undefined], [''], ['*'], ['"other"'], [tag.slice(0, -1)]])(
    'an entity tag is not found in the If-None-Match header %j',
    (header) => expect(namesTag(header, tag)).toBe(false),
  );
});
