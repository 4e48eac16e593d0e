import { IsOptional } from 'class-validator';
import { PageQuery } from '../pagination/page.js';
import { plainParameters, queryParametersOf } from './query-parameters.guard.js';

class FilterQuery extends PageQuery {
  @IsOptional()
  search?: string;
}

describe('the parameters of a query class', () => {
  it('are its own and those it inherits, also the ones that nothing but paging checks', () => {
    expect([...queryParametersOf(FilterQuery)].sort()).toEqual(['page', 'per_page', 'search']);
  });

  it('are plain text as it was sent: blanks count as absent, and every problem is listed', () => {
    const given = { search: ' rent ', page: '  ', 'per_page[]': '5', colour: ['red', 'blue'], 'colour[x]': '1' };
    expect(plainParameters(given, queryParametersOf(FilterQuery))).toEqual({
      parameters: { search: ' rent ' },
      problems: ['colour is not a parameter of this route', 'per_page must be given once, as plain text'],
    });
  });
});
