import { ProviderInputError } from '../bank-provider/provider-error.js';
import { Secret } from '../config/secret.js';
import { apiKeyOf } from './credential.js';

const KEY = 'lf_7f3a+91c2/not~a=real.key';

describe('an API key', () => {
  it.each([
    ['as it is', KEY],
    ['with blanks and line breaks around it', ` \t${KEY}\r\n`],
    ['with what cannot be seen around it', `\ufeff\u200b${KEY}\u00a0\u2060`],
    ['wrapped', `${KEY.slice(0, 8)}\r\n${KEY.slice(8)}`],
  ])('is taken %s', (_, pasted) => {
    expect(apiKeyOf(new Secret(pasted)).reveal()).toBe(KEY);
  });

  it.each([
    ['nothing', ''],
    ['blanks', ' \n\t '],
    ['a sentence', 'Where do I find my key?'],
    ['letters that no header may hold', 'clé-secrète'],
    ['a control character', 'key\u0000key'],
    ['far too much', 'k'.repeat(1_001)],
  ])('is not %s, and nothing of it is repeated', (_, pasted) => {
    const refused = () => apiKeyOf(new Secret(pasted));
    expect(refused).toThrow(ProviderInputError);
    expect(refused).toThrow(/^has spaces or unusual characters/);
    expect(refused).not.toThrow(/find my key|secrète/);
  });
});
