/**
 * Patterns of secrets with their replacements. Lengths are bounded, because an answer may be one word of many
 * megabytes.
 */
const SECRETS: readonly [RegExp, string][] = [
  // User name and password inside an address, also where JSON, or JSON in JSON, escapes the slashes. Neither of the two
  // can hold a slash: a path with an @ in it, as in every frame of a scoped package, is not one of them.
  [/((?:\\{0,7}\/){2})[^\s"<>/]{1,4000}@/g, '$1[secret]@'],
  // The one-time code of a claim address.
  [/(\\{0,7}\/claim\\{0,7}\/)[^\s"'<>?#/\\]{1,1000}/gi, '$1[secret]'],
  // An address in base64, as setup tokens are: it begins with "http".
  [/\baHR0c[\w+/=-]{20,2000}/g, '[secret]'],
  // The value of an authorization header.
  [/\b(Basic|Bearer)\s+[\w+/=.~-]{6,2000}/gi, '$1 [secret]'],
  // An API key: in a header, also inside JSON, and this service's own keys anywhere.
  [/(\bx-api-key[\\"':=\s]{1,10})[\w.~-]{6,1000}/gi, '$1[secret]'],
  [/\btma?_[0-9A-Za-z]{20,200}/g, 'tm_[secret]'],
  // A signing secret after Standard Webhooks.
  [/\bwhsec_[\w+/=-]{20,200}/g, 'whsec_[secret]'],
];

/** Removes credentials from any text. The log applies it to every line. */
export function redact(text: string): string {
  return SECRETS.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text);
}
