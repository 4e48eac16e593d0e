import { ProviderInputError } from '../provider-error.js';
import { Secret } from '../../platform/config/secret.js';
import { apiKeyOf } from './global-provider.module.js';

const KEY = 'lf_7f3a+91c2/not~a=real.key';

describe('apiKeyOf', () => {
  it.each([
    ['without anything around it', KEY],
    ['with blanks and line breaks around it', ` \t${KEY}\r\n`],
    ['with invisible characters around it', `\ufeff\u200b${KEY}\u00a0\u2060`],
    ['wrapped over two lines', `${KEY.slice(0, 8)}\r\n${KEY.slice(8)}`],
  ])('an API key pasted %s is accepted', (_, pasted) => {
    expect(apiKeyOf(new Secret(pasted)).reveal()).toBe(KEY);
  });

  it.each([
    ['empty text', ''],
    ['only blanks', ' \n\t '],
    ['a sentence', 'Where do I find my key?'],
    ['letters that a header must not contain', 'clé-secrète'],
    ['text with a control character', 'key\u0000key'],
    ['more than 1,000 characters', 'k'.repeat(1_001)],
  ])('an API key that is %s is rejected without repeating it', (_, pasted) => {
    const refused = () => apiKeyOf(new Secret(pasted));
    expect(refused).toThrow(ProviderInputError);
    expect(refused).toThrow(/^has spaces or unusual characters/);
    expect(refused).not.toThrow(/find my key|secrète/);
  });
});
