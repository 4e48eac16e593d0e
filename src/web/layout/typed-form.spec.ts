import type { Request } from 'express';
import { pageWithTyped } from './typed-form.js';

const keptOf = (body: Record<string, string | string[]>) =>
  Object.fromEntries(
    new URL(pageWithTyped('/page', { path: '/form', body } as unknown as Request), 'http://x').searchParams,
  );

describe('a page with what was typed in its address', () => {
  it('leaves out empty fields, and what must not stand in an address', () => {
    expect(keptOf({ name: 'Mine', description: '', password: 'correct horse', url: 'https://x' })).toEqual({
      form: '/form',
      name: 'Mine',
    });
  });

  it('keeps what was emptied, and what the form showed as empty', () => {
    expect(keptOf({ name: '', name_was: 'Old', hidden_was: '', closed_on: '2026-03-01', closed_on_was: '' })).toEqual({
      form: '/form',
      name: '',
      name_was: 'Old',
      hidden_was: '',
      closed_on: '2026-03-01',
      closed_on_was: '',
    });
  });
});
