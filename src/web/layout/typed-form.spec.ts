import type { Request } from 'express';
import { MAX_ADDRESS_CHARS, pageOfUnsent } from './typed-form.js';

const pageOf = (body: Record<string, string | string[]>) =>
  pageOfUnsent('/page', { path: '/form', body } as unknown as Request);
const keptOf = (body: Record<string, string | string[]>) =>
  Object.fromEntries(new URL(pageOf(body), 'http://x').searchParams);

describe('a page with what was typed in its address', () => {
  it('leaves out empty fields, and what must not stand in an address', () => {
    expect(keptOf({ name: 'Mine', description: '', password: 'correct horse', url: 'https://x' })).toEqual({
      unsent: '1',
      form: '/form',
      name: 'Mine',
    });
  });

  it('keeps what was emptied, and what the form showed as empty', () => {
    expect(keptOf({ name: '', name_was: 'Old', hidden_was: '', closed_on: '2026-03-01', closed_on_was: '' })).toEqual({
      unsent: '1',
      form: '/form',
      name: '',
      name_was: 'Old',
      hidden_was: '',
      closed_on: '2026-03-01',
      closed_on_was: '',
    });
  });

  it('is never longer than an address may be, and says that the form was not carried out', () => {
    for (let chars = MAX_ADDRESS_CHARS - 100; chars <= MAX_ADDRESS_CHARS; chars++) {
      const page = pageOf({ name: 'x'.repeat(chars) });
      expect(page.length).toBeLessThanOrEqual(MAX_ADDRESS_CHARS);
      expect(page).toContain('unsent=1');
    }
    expect(pageOf({})).toBe('/page?unsent=1');
  });
});
