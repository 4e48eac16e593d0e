/** Fewer different characters than any random text of the least length has. */
const MIN_DISTINCT_CHARS = 8;
/** What must be left of a secret without the words of examples. */
const MIN_OWN_CHARS = 8;

/** What examples and impatient people write. */
const EXAMPLE_WORDS =
  /changeme|change|replace|password|passwort|passphrase|secret|example|sample|default|generate|openssl|rand|base64|tidemark|test|demo|admin|root|your|this|please|with|here|some|random|string|long|key|app|to|in|production|dev|qwerty|asdf|letmein|me|my|is|a|it/g;

/** Why a secret is no secret, as words to put after its name; `null` when it may be one. */
export function weaknessOf(secret: string): string | null {
  if (new Set(secret).size < MIN_DISTINCT_CHARS) return 'has too few different characters';
  if (isRepeated(secret)) return 'repeats itself';
  if (isRun(secret)) return 'is a run of neighbouring characters';
  const own = secret
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll(EXAMPLE_WORDS, '');
  return own.length < MIN_OWN_CHARS || isRun(own) ? 'is the text of an example' : null;
}

/** One text twice or more. */
function isRepeated(text: string): boolean {
  return (text + text).indexOf(text, 1) <= text.length / 2;
}

/** Such as 1234567890 and abcdefgh, at least for the most part. */
function isRun(text: string): boolean {
  let steps = 0;
  for (let index = 1; index < text.length; index++) {
    if (Math.abs(text.charCodeAt(index) - text.charCodeAt(index - 1)) <= 1) steps++;
  }
  return steps > text.length / 2;
}
