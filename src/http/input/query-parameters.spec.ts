import { IsOptional } from 'class-validator';
import { PageQuery } from '../pagination/page.js';
import { plainParameters, queryParametersOf } from './query-parameters.guard.js';

class FilterQuery extends PageQuery {
  @IsOptional()
  search?: string;
}

describe('queryParametersOf and plainParameters', () => {
  it('a query class has its own and its inherited parameters, also those that only paging checks', () => {
    expect([...queryParametersOf(FilterQuery)].sort()).toEqual(['page', 'per_page', 'search']);
  });

  it('query parameters are trimmed, blank ones count as absent, and every problem is listed', () => {
    const given = { search: ' rent ', page: '  ', 'per_page[]': '5', colour: ['red', 'blue'], 'colour[x]': '1' };
    expect(plainParameters(given, queryParametersOf(FilterQuery))).toEqual({
      parameters: { search: ' rent ' },
      problems: ['colour is not a parameter of this route', 'per_page must be given once, as plain text'],
    });
  });
});
