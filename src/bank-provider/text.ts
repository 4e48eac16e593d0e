import { redact } from './redact.js';

const MAX_MESSAGE_CHARS = 300;
/** Markup, and the contents of what is never text. */
const MARKUP = /<(script|style)\b[^]{0,2000}?<\/\1\s*>|<!--[^]{0,2000}?-->|<\/?[a-z!][^<>]{0,500}>/gi;
/** Tags only: whatever else stands in angle brackets, "Smith <smith@bank.example>", is text. */
const TAGS =
  /<(script|style)\b[^]{0,2000}?<\/\1\s*>|<!--[^]{0,2000}?-->|<\/?[a-z][a-z0-9]{0,20}(\s[^<>]{0,500})?\/?>/gi;
/** Those that stand for what could open a tag are left as they are. */
const ENTITIES: Record<string, string> = { amp: '&', quot: '"', apos: "'", '#39': "'", nbsp: ' ' };
/** Colours of terminals, control characters, what is invisible or turns the writing round, halves of surrogate pairs. */
const INVISIBLE =
  // eslint-disable-next-line no-control-regex
  /(?:\u001b\[[\d;]*[a-z]|[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\p{Cs}])+/giu;

/** What most texts are: visible characters of ASCII with single spaces between them. */
const PLAIN_LINE = /^[!-~]+(?: [!-~]+)*$/;

/** Text of a provider as one line to store: what cannot be seen and runs of white space become single spaces. */
export function oneLine(text: string, maxChars: number): string {
  if (text.length <= maxChars && PLAIN_LINE.test(text)) return text;
  const visible = text.slice(0, maxChars * 4).replace(INVISIBLE, ' ');
  const line = visible.replace(/\s+/g, ' ').trim();
  if (line.length <= maxChars) return line;
  // A character of two halves is not cut in the middle.
  return line
    .slice(0, maxChars)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
}

/** Text of a bank that was written for a page, as plain text. */
export function withoutMarkup(text: string): string {
  // Hardly any text has some, and looking is cheaper than replacing.
  if (!text.includes('<') && !text.includes('&')) return text;
  return text.replace(TAGS, ' ').replace(/&(amp|quot|apos|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '');
}

/** A provider's message as a person may see it: one line without markup and without secrets, at most 300 characters. */
export function messageText(text: string): string {
  return oneLine(redact(text.slice(0, 4_000).replace(MARKUP, ' ')), MAX_MESSAGE_CHARS);
}

/** Whether a body is a page for people instead of an answer for programs. */
export function looksLikeHtml(body: string): boolean {
  return /^\s*<(!doctype|!--|html|head|body|\?xml)/i.test(body.slice(0, 500));
}
