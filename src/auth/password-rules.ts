export const MIN_PASSWORD_CHARS = 8;
/** Long enough for any passphrase, short enough that hashing it is no work. */
export const MAX_PASSWORD_CHARS = 256;

/** What is less than that many different characters, like `aaaaaaaa` or `abababab`, is tried first. */
const MIN_DIFFERENT_CHARS = 3;

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

/** What is wrong with a password that somebody wants to have, as a sentence; `null`: nothing. */
export async function passwordProblem(password: string, email: string): Promise<string | null> {
  if (password.length < MIN_PASSWORD_CHARS) return `Use at least ${MIN_PASSWORD_CHARS} characters.`;
  if (password.length > MAX_PASSWORD_CHARS) return `Use at most ${MAX_PASSWORD_CHARS} characters.`;
  const text = password.trim().toLowerCase();
  const address = email.trim().toLowerCase();
  if (text === address || text === address.split('@')[0]) return 'Do not use your e-mail address as your password.';
  if (new Set(text).size < MIN_DIFFERENT_CHARS) return 'Use more than two different characters.';
  commonPasswords ??= loadCommonPasswords();
  if ((await commonPasswords).has(text)) return 'This password is among the most common ones. Choose another.';
  return null;
}

/** Some 18,000, in 3.5 MB: they are read when somebody wants a password, not at the start. */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter((password) => password.length >= MIN_PASSWORD_CHARS));
}
