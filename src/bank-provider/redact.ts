/** Each with what stays visible. The lengths are bounded because a raw answer may be one word of many megabytes. */
const SECRETS: readonly [RegExp, string][] = [
  // User name and password inside an address, also where JSON escapes the slashes.
  [/(\\?\/\\?\/)[^\s"'<>]{1,1000}@/g, '$1[secret]@'],
  // The one-time code of a claim address.
  [/(\\?\/claim\\?\/)[^\s"'<>?#/\\]{1,1000}/gi, '$1[secret]'],
  // An address in base64, as setup tokens are: it begins with "http".
  [/\baHR0c[\w+/=-]{20,2000}/g, '[secret]'],
  // The value of an authorization header.
  [/\b(Basic|Bearer)\s+[\w+/=.~-]{6,2000}/gi, '$1 [secret]'],
];

/** Takes credentials out of any text, wherever they stand in it. */
export function redact(text: string): string {
  return SECRETS.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text);
}
