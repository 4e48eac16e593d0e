import { pageLinks } from './page-links.interceptor.js';

const link = (url: string, page: number, totalPages: number) =>
  pageLinks(url, { page, per_page: 25, total_count: 0, total_pages: totalPages })!
    .split(', ')
    .map((text) => text.replace(/^<\/list\?(.*)>; rel="(.*)"$/, '$2 $1'));

describe('pageLinks', () => {
  it.each([
    [1, 0, ['first page=1', 'last page=1']],
    [1, 3, ['first page=1', 'next page=2', 'last page=3']],
    [2, 3, ['first page=1', 'prev page=1', 'next page=3', 'last page=3']],
    [3, 3, ['first page=1', 'prev page=2', 'last page=3']],
    [9, 3, ['first page=1', 'prev page=3', 'last page=3']],
  ])('page %i of %i links to the first, previous, next and last page that exist', (page, totalPages, links) =>
    expect(link('/list', page, totalPages)).toEqual(links),
  );

  it('page links keep and encode every other query parameter', () => {
    expect(link('/list?a=1&page=7&b=%22%3E', 1, 1)).toEqual(['first a=1&page=1&b=%22%3E', 'last a=1&page=1&b=%22%3E']);
  });

  it('page links keep a question mark in the query', () => {
    const links = ['first search=what%3F&page=1&b=2', 'last search=what%3F&page=1&b=2'];
    expect(link('/list?search=what?&page=7&b=2', 1, 1)).toEqual(links);
  });

  it('page links are left out if they are too long for a header', () => {
    const pagination = { page: 2, per_page: 25, total_count: 75, total_pages: 3 };
    expect(pageLinks(`/list?search=${'x'.repeat(900)}`, pagination)).toContain('rel="last"');
    expect(pageLinks(`/list?unknown=${'x'.repeat(15_000)}`, pagination)).toBeNull();
  });
});
