import { passwordProblem } from './password-rules.js';

const problem = (password: string) => passwordProblem(password, 'Annabella@example.com');

describe('a new password', () => {
  it.each(['password', 'PASSWORD', '12345678', 'qwertyuiop', 'trustno1', ' baseball'])('is not %j', async (password) =>
    expect(await problem(password)).toMatch(/most common/),
  );

  it.each(['annabella@example.com', 'ANNABELLA@EXAMPLE.COM', 'annabella'])(
    'is not one’s own address: %s',
    async (text) => expect(await problem(text)).toMatch(/e-mail address/),
  );

  it.each(['aaaaaaaa', 'abababab'])('is not %s', async (text) => expect(await problem(text)).toMatch(/two different/));

  it('has 8 to 256 characters', async () => {
    expect(await problem('gR7-kq2')).toBe('Use at least 8 characters.');
    expect(await problem('gR7-'.repeat(64))).toBeNull();
    expect(await problem('gR7-'.repeat(65))).toBe('Use at most 256 characters.');
  });

  it.each(['correct horse', 'gR7-kq2p', 'passwort mit wellen'])('may be %j', async (text) =>
    expect(await problem(text)).toBeNull(),
  );
});
