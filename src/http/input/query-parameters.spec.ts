import { PageQuery } from '../pagination/page.js';
import { GivenText, givenMembersOf } from './given.js';
import { plainParameters } from './query-parameters.guard.js';

class FilterQuery extends PageQuery {
  @GivenText({ max: 20, optional: true })
  search?: string;
}

const members = givenMembersOf(FilterQuery.prototype);

describe('plainParameters', () => {
  it('a query class has its own and its inherited parameters, also those that only paging checks', () => {
    expect([...members.keys()]).toEqual(['page', 'per_page', 'search']);
  });

  it('query parameters are trimmed, blank ones count as absent, and every problem is listed', () => {
    const given = { search: ' rent ', page: '  ', 'per_page[]': '5', colour: ['red', 'blue'], 'colour[x]': '1' };
    expect(plainParameters(given, members)).toEqual({
      parameters: { search: ' rent ' },
      problems: ['colour is not a parameter of this route', 'per_page must be given once, as plain text'],
    });
  });
});
