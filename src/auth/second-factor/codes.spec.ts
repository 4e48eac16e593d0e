import { Secret } from '../../platform/config/secret.js';
import { newTotpSecret, stepOfCode, totpUri } from './codes.js';

/** The key of the test vectors in RFC 6238, appendix B: "12345678901234567890" in base32. */
const RFC_SECRET = new Secret('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');

describe('TOTP codes', () => {
  // The last six of the eight digits that the RFC lists for SHA-1.
  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_234_567_890, '005924', 41_152_263],
    [2_000_000_000, '279037', 66_666_666],
  ])('the RFC 6238 code for second %i is %s and is valid one step earlier and later', (seconds, code, step) => {
    const at = (offset: number) => stepOfCode(RFC_SECRET, code, new Date((seconds + offset) * 1000));
    expect([at(0), at(-30), at(30)]).toEqual([step, step, step]);
    expect([at(-90), at(90)]).toEqual([null, null]);
  });

  it.each(['', '28708', '2870820', 'abcdef', '287 083'])('the text %j is not a valid TOTP code', (code) =>
    expect(stepOfCode(RFC_SECRET, code, new Date(59_000))).toBeNull(),
  );

  it('a TOTP code may be typed with blanks', () =>
    expect(stepOfCode(RFC_SECRET, ' 287 082 ', new Date(59_000))).toBe(1));

  it('a TOTP secret has 160 random bits and is put into an otpauth URI', () => {
    const secret = newTotpSecret();
    expect(secret.reveal()).toMatch(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret().reveal()).not.toBe(secret.reveal());
    expect(totpUri(secret, 'anna@example.com')).toBe(
      `otpauth://totp/Tidemark:anna%40example.com?issuer=Tidemark&secret=${secret.reveal()}&algorithm=SHA1&digits=6&period=30`,
    );
  });
});
