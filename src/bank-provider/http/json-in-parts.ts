// Measured with an answer of 100,000 rows: parsed as a whole it takes 75 MiB more at the peak.
import { StringDecoder } from 'node:string_decoder';
import {
  MAX_ELEMENT_BYTES,
  MAX_OTHER_BYTES,
  MAX_OTHER_VALUES,
  MAX_TRANSACTIONS,
  refuseMore,
} from '../answer-limits.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** Longer than a member's name with quotes, colon and usual white space. */
const LOOK_BACK_CHARS = 60;
/** Never part of JSON, so a text with it does not parse. */
const NOT_JSON = '\u0000';
const NOTHING = /(?!)/;
const MIB = 2 ** 20;
/** An id that is a number of so many digits that it may not be exact. */
const LONG_ID = /id"\s*:\s*-?\d{16}/i;

/** `source`: the text of a number. */
type Reviver = (name: string, value: unknown, context: { source: string }) => unknown;

/** TypeScript does not know the third argument yet. */
const parseJson = JSON.parse as (text: string, revive?: Reviver) => unknown;

/** A body whose long lists are parsed already: its text has the index of each list in place of the elements. */
export interface PartlyParsed {
  body: string;
  /** Absent: no list was parsed. */
  lists?: { name: string; elements: unknown[][] };
}

/**
 * Parses JSON while it arrives: the elements of every list of one name chunk by chunk, and the short rest at the end. A
 * long answer is never in memory as a whole and does not block other work while it is parsed.
 */
export class JsonInParts {
  readonly #decoder = new StringDecoder('utf8');
  readonly #lists: unknown[][] = [];
  readonly #listStart: RegExp;
  #text = '';
  #lookBack = '';
  /** The list whose elements are being read. */
  #list: unknown[] | null = null;
  /** How deep inside an element the last chunk ended. */
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The beginning of an incomplete element. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  #elements = 0;
  /** Outside of the lists. */
  #otherValues = 0;
  #otherBytes = 0;

  /** @param listName letters only; `null`: everything is parsed at the end */
  constructor(private readonly listName: string | null) {
    // A quote after a backslash is part of a longer name.
    this.#listStart = listName === null ? NOTHING : new RegExp(`(?<!\\\\)"${listName}"\\s*:\\s*\\[$`);
  }

  /** @throws ProviderError `answer_too_large` for more than can be parsed without blocking */
  add(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) at = this.#list ? this.#addElements(chunk, at) : this.#addUntilList(chunk, at);
  }

  end(): PartlyParsed {
    const body = (this.#text + this.#decoder.end()).replace(/^\ufeff/, '');
    if (this.listName === null || this.#lists.length === 0) return { body };
    return { body, lists: { name: this.listName, elements: this.#lists } };
  }

  /** @returns where the elements of a list begin; the chunk's length: none begins in it */
  #addUntilList(chunk: Buffer, start: number): number {
    for (let at = this.#isInString ? this.#afterString(chunk, start) : start; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === QUOTE) at = this.#afterString(chunk, at + 1) - 1;
      else if (byte === COMMA || byte === OPEN_OBJECT) this.#otherValues++;
      else if (byte === OPEN_LIST) {
        this.#otherValues++;
        this.#beginList(chunk.subarray(start, at + 1));
        return at + 1;
      }
    }
    this.#addText(chunk.subarray(start));
    refuseMore(this.#otherValues, MAX_OTHER_VALUES, 'values');
    return chunk.length;
  }

  /** @returns the index of the closing bracket; the chunk's length: it comes in a later chunk */
  #addElements(chunk: Buffer, start: number): number {
    let depth = this.#depth;
    let done = start;
    let lastComma = -1;
    for (let at = this.#isInString ? this.#afterString(chunk, start) : start; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === QUOTE) at = this.#afterString(chunk, at + 1) - 1;
      else if (byte === COMMA && depth === 0) lastComma = at;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
      else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && depth-- === 0) {
        this.#endList(chunk.subarray(start, at));
        return at;
      }
    }
    this.#depth = depth;
    if (lastComma >= 0) {
      this.#parse(chunk.subarray(start, lastComma), false);
      done = lastComma + 1;
    }
    if (this.#list) this.#hold(chunk.subarray(done));
    else this.#addText(chunk.subarray(done));
    return chunk.length;
  }

  #hold(bytes: Buffer): void {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    refuseMore(this.#heldBytes / MIB, MAX_ELEMENT_BYTES / MIB, 'MiB of one transaction');
  }

  #addText(bytes: Buffer): void {
    this.#otherBytes += bytes.length;
    refuseMore(this.#otherBytes / MIB, MAX_OTHER_BYTES / MIB, 'MiB besides transactions');
    const text = this.#decoder.write(bytes);
    this.#text += text;
    this.#lookBack = (this.#lookBack + text).slice(-LOOK_BACK_CHARS);
  }

  /** @returns the index after the string that contains `start`; the chunk's length: it ends in a later chunk */
  #afterString(chunk: Buffer, start: number): number {
    const { length } = chunk;
    // Most bytes of an answer are in strings, so this loop stays small.
    let at = this.#isEscaped ? start + 1 : start;
    for (; at < length && chunk[at] !== QUOTE; at++) if (chunk[at] === BACKSLASH) at++;
    this.#isEscaped = at > length;
    this.#isInString = at >= length;
    return Math.min(at + 1, length);
  }

  /** @param bytes up to an opening bracket, which may be that of another list */
  #beginList(bytes: Buffer): void {
    this.#addText(bytes);
    if (!this.#listStart.test(this.#lookBack)) return;
    this.#list = [];
    this.#depth = 0;
  }

  #endList(bytes: Buffer): void {
    this.#parse(bytes, true);
    // The list is damaged.
    if (!this.#list) return;
    this.#text += String(this.#lists.push(this.#list) - 1);
    this.#list = null;
  }

  /** @param bytes whole elements with commas between them, after the held beginning */
  #parse(bytes: Buffer, isEnd: boolean): void {
    const elements = elementsOf([...this.#held, bytes]);
    // There is an element on either side of a comma.
    const isWhole = elements && (elements.length > 0 || (isEnd && this.#list?.length === 0));
    if (isWhole) return this.#add(elements);
    this.#text += NOT_JSON;
    this.#list = null;
  }

  #add(elements: readonly unknown[]): void {
    refuseMore((this.#elements += elements.length), MAX_TRANSACTIONS, 'transactions');
    for (const element of elements) this.#list?.push(element);
    this.#held = [];
    this.#heldBytes = 0;
  }
}

/** `null`: these are not whole elements with commas between them. */
function elementsOf(bytes: readonly Buffer[]): unknown[] | null {
  try {
    return parse(`[${Buffer.concat(bytes).toString('utf8')}]`) as unknown[];
  } catch {
    return null;
  }
}

/** @throws SyntaxError when it is not JSON */
export function wholeOf({ body, lists }: PartlyParsed): unknown {
  if (!lists) return parse(body);
  return parseJson(body, (name, value, context) => {
    if (name !== lists.name || !Array.isArray(value)) return withItsDigits(name, value, context);
    const [number] = value as readonly unknown[];
    const elements = typeof number === 'number' ? lists.elements[number] : undefined;
    return elements ?? (value as unknown);
  });
}

/** As JSON.parse, except for ids beyond what a number holds. A reviver takes ten times as long, so it is for them alone. */
function parse(text: string): unknown {
  return parseJson(text, LONG_ID.test(text) ? withItsDigits : undefined);
}

/** Ids that differ only in their last digits would be one. */
const withItsDigits: Reviver = (name, value, { source }) =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && /id$/i.test(name) ? source : value;
