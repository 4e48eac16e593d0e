import { apiKeyHint, hashApiKey, isApiKeyShaped, newApiKey } from './api-key.js';

describe('API keys', () => {
  const key = newApiKey();

  it('an API key is tm_, at least 40 random base62 characters and a 6-character checksum', () => {
    expect(key).toMatch(/^tm_[0-9A-Za-z]{46}$/);
    expect(newApiKey()).not.toBe(key);
  });

  it('an API key is recognised by its shape and checksum', () => {
    expect(isApiKeyShaped(key)).toBe(true);
    const last = key.endsWith('0') ? '1' : '0';
    expect(isApiKeyShaped(key.slice(0, -1) + last)).toBe(false);
    expect(isApiKeyShaped('tm_short')).toBe(false);
    expect(isApiKeyShaped(key.replace('tm_', 'xx_'))).toBe(false);
  });

  it('an API key is stored as a hash and a hint that do not reveal it', () => {
    expect(hashApiKey(key)).toHaveLength(32);
    expect(apiKeyHint(key)).toBe(`${key.slice(0, 6)}…${key.slice(-4)}`);
  });
});
