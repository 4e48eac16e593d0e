import { currencyCode, minorDigits } from '../platform/money/currency.js';
import { isTooLarge, parseMinor } from '../platform/money/minor-units.js';
import { type CalendarDate, dateOfUnixSeconds, isCalendarDate } from '../platform/time/calendar-date.js';
import type { WrittenMoment } from './bank-provider.js';
import { redact } from '../platform/logging/redact.js';

/** A text of the wire; absent where the vendor leaves it out. */
export type WireText = string | null | undefined;

/** When something was made, as the vendor writes it: a day, or a moment with the day that is written. */
export interface Written {
  date: CalendarDate;
  moment?: WrittenMoment;
}

// What every mapper of a provider does with a text of the wire.

const MAX_LINE_CHARS = 200;

/** One visible line; `null`: there is none. */
export function lineOf(text: string | null | undefined, maxChars = MAX_LINE_CHARS): string | null {
  return oneLine(text ?? '', maxChars) || null;
}

export function accountNameOf(name: string | null | undefined): string {
  return lineOf(name) ?? 'Unnamed account';
}

/**
 * An ISO 4217 code, or the provider's text in its place; `null`: not reported. A custom currency may be a URL, which is
 * shown and never requested.
 */
export function reportedCurrency(currency: string | null | undefined): string | null {
  return currencyCode(currency) ?? lineOf(currency);
}

/**
 * The ISO 4217 code of a row, which may name another currency than its account.
 *
 * @param fallback for a row without a currency; `null`: unknown
 * @returns `null`: unknown, or no code, so that its amount cannot be read
 */
export function rowCurrency(currency: string | null | undefined, fallback: string | null): string | null {
  return currencyCode(currency) ?? (lineOf(currency) === null ? fallback : null);
}

/**
 * @param currency ISO 4217 code
 * @returns `null`: not reported, no decimal number, or too large, which {@link isBeyondLimit} tells
 */
export function minorOf(text: string | null | undefined, currency: string): number | null {
  return parseMinor(text?.trim() ?? '', minorDigits(currency)!);
}

/** @param currency ISO 4217 code; `null`: unknown @returns whether {@link minorOf} reads nothing for its size alone */
export function isBeyondLimit(text: string | null | undefined, currency: string | null): boolean {
  return currency !== null && isTooLarge(text?.trim() ?? '', minorDigits(currency)!);
}

/** Programs write for no day the first one they know: 0001-01-01, 1900-01-01 or 1970-01-01, somewhere the evening before. */
const FIRST_DAY: CalendarDate = '1970-01-02';

/** `null`: no calendar day, or one that stands for none. A history would begin there, centuries ago. */
export function dayOf(text: string): CalendarDate | null {
  return isCalendarDate(text) && text >= FIRST_DAY ? text : null;
}

/** 9999-12-31: beyond it there is no calendar day. */
const MAX_SECONDS = 253_402_300_799;
const HALF_DAY_SECONDS = 43_200;

/** Of Unix seconds, whose day is that in UTC; `null`: there are none. */
export function writtenInSeconds(unixSeconds: number | null | undefined): Written | null {
  if (typeof unixSeconds !== 'number' || unixSeconds <= 0 || unixSeconds > MAX_SECONDS) return null;
  const date = dayOf(dateOfUnixSeconds(unixSeconds));
  return date === null ? null : { date, moment: { unixSeconds, isWhole: unixSeconds % HALF_DAY_SECONDS === 0 } };
}

/** A day, perhaps with a time of the bank's own zone, or a moment, whose time names its distance to UTC. */
const DATE = /^\s*(\d{4}-\d{2}-\d{2})(?!\d)(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:\d{2}))?/i;
const WHOLE = /^(00|12):00(:00(\.0+)?)?$/;

/** Of a date in ISO 8601, perhaps with a time; `null`: it is none. */
export function writtenInText(text: string): Written | null {
  const [, day = '', time = '', offset = ''] = DATE.exec(text) ?? [];
  const date = dayOf(day);
  if (date === null) return null;
  const unixSeconds = Math.floor(Date.parse(`${day}T${time}${offset.toUpperCase()}`) / 1000);
  // Without an offset, or with an hour that does not exist, only the day is known.
  if (offset === '' || Number.isNaN(unixSeconds)) return { date };
  return { date, moment: { unixSeconds, isWhole: WHOLE.test(time) } };
}

const MAX_MESSAGE_CHARS = 300;
/** Markup, with the contents of scripts and styles. */
const MARKUP = /<(script|style)\b[^]{0,2000}?<\/\1\s*>|<!--[^]{0,2000}?-->|<\/?[a-z!][^<>]{0,500}>/gi;
/** Tags only. Other text in angle brackets stays, as in "Smith <smith@bank.example>". */
const TAGS =
  /<(script|style)\b[^]{0,2000}?<\/\1\s*>|<!--[^]{0,2000}?-->|<\/?[a-z][a-z0-9]{0,20}(\s[^<>]{0,500})?\/?>/gi;
/** Entities of angle brackets are not decoded, because they could open a tag. */
const ENTITIES: Record<string, string> = { amp: '&', quot: '"', apos: "'", '#39': "'", nbsp: ' ' };
/** Terminal colours, control characters, invisible and bidirectional marks, lone surrogates. */
const INVISIBLE =
  // eslint-disable-next-line no-control-regex
  /(?:\u001b\[[\d;]*[a-z]|[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\p{Cs}])+/giu;

/** White space and what Unicode has drawn as nothing; joiners and fillers have their use within a text. */
const BLANK = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/**
 * A provider's text as one line: invisible characters and runs of white space become single spaces. `''` if nothing of it
 * can be seen.
 */
export function oneLine(text: string, maxChars: number): string {
  const visible = text.slice(0, maxChars * 4).replace(INVISIBLE, ' ');
  if (BLANK.test(visible)) return '';
  const line = visible.replace(/\s+/g, ' ').trim();
  if (line.length <= maxChars) return line;
  // Not in the middle of a surrogate pair.
  return line
    .slice(0, maxChars)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
}

/** A bank's text without HTML tags and entities. */
export function withoutMarkup(text: string): string {
  return text.replace(TAGS, ' ').replace(/&(amp|quot|apos|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '');
}

/** A provider's message for a person: one line without markup or secrets, at most 300 characters. */
export function messageText(text: string): string {
  return oneLine(redact(text.slice(0, 4_000).replace(MARKUP, ' ')), MAX_MESSAGE_CHARS);
}

/** Whether a body is a web page instead of an answer. */
export function looksLikeHtml(body: string): boolean {
  return /^\s*<(!doctype|!--|html|head|body|\?xml)/i.test(body.slice(0, 500));
}
