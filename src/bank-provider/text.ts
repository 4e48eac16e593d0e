const TAGS = /<[^<>]{0,500}>/g;
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g;
const SECRETS = [
  [/\/\/[^\s/@:]*:[^\s/@]*@/g, '//[secret]@'],
  [/(\/claim\/)[^\s"'?#/]+/g, '$1[secret]'],
] as const;

/** Text of a provider as one line to store: control characters and runs of white space become single spaces. */
export function oneLine(text: string, maxChars: number): string {
  return text
    .slice(0, maxChars * 4)
    .replace(CONTROL, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxChars);
}

/** A provider's message as a person may see it: one line, no markup, no secrets. */
export function messageText(text: string): string {
  let clean = text.slice(0, 4_000).replace(TAGS, ' ');
  for (const [pattern, replacement] of SECRETS) clean = clean.replace(pattern, replacement);
  return oneLine(clean, 300);
}

/** Whether a body is a page for people instead of an answer for programs. */
export function looksLikeHtml(body: string): boolean {
  return /^\s*<(!doctype|html|head|body|\?xml)/i.test(body.slice(0, 500));
}
