import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { UnreadableFileError } from './statement-file.js';

export interface DecodedText {
  /** Without a byte order mark. */
  text: string;
  /** A name of iconv-lite. */
  encoding: string;
}

const MARKS: [string, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
/** Where an XML declaration and the header of OFX lie. */
const HEAD = 2_000;
const SAMPLE = 1_000;
/** The longest character of UTF-8 has four bytes, so a file that was cut has at most three of one at its end. */
const CUT_CHARACTER = 3;
const FALLBACK = 'windows-1252';

/**
 * Reads the bytes of a file as text. Node's own decoder is of no use: in versions that we support, it reads the euro
 * sign of Windows-1252 as a control character.
 */
export function decode(bytes: Buffer, chosen?: string): DecodedText {
  const encoding = chosen ?? encodingOf(bytes);
  if (!iconv.encodingExists(encoding))
    throw new UnreadableFileError(`The encoding "${String(encoding)}" is not known.`);
  return { text: iconv.decode(bytes, encoding, { stripBOM: true }), encoding };
}

/** What nobody declares is UTF-8 where the bytes are valid, and Windows-1252 otherwise. */
function encodingOf(bytes: Buffer): string {
  for (const [encoding, mark] of MARKS) if (mark.every((byte, place) => bytes[place] === byte)) return encoding;
  const head = bytes.toString('latin1', 0, HEAD);
  const isUnicode = isUtf8(bytes) || endsWithinCharacter(bytes);
  const ofXml = supported(/^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1]);
  // One byte wrong in a file that says UTF-8: more often a bank that does not know its own encoding than a broken file.
  if (ofXml !== null && !/^utf/i.test(ofXml)) return ofXml;
  return utf16WithoutMark(bytes) ?? (isUnicode ? 'utf-8' : (encodingOfOfx(head) ?? FALLBACK));
}

function endsWithinCharacter(bytes: Buffer): boolean {
  for (let cut = 1; cut <= CUT_CHARACTER && cut < bytes.length; cut++) {
    if (isUtf8(bytes.subarray(0, -cut))) return (bytes[bytes.length - cut] ?? 0) >= 0xc2;
  }
  return false;
}

/** Every second byte of text in Latin letters is zero in UTF-16. */
function utf16WithoutMark(bytes: Buffer): string | null {
  const sample = bytes.subarray(0, SAMPLE);
  const zeros = [0, 0];
  sample.forEach((byte, place) => {
    if (byte === 0) zeros[place % 2]!++;
  });
  const [atEven = 0, atOdd = 0] = zeros;
  if (sample.length < 4 || atEven + atOdd < sample.length / 4) return null;
  if (atOdd > 8 * atEven) return 'utf-16le';
  return atEven > 8 * atOdd ? 'utf-16be' : null;
}

/** `CHARSET:1252` in the header. Nearly all headers say USASCII, NONE or UNICODE, whatever the file is. */
function encodingOfOfx(head: string): string | null {
  if (!/OFXHEADER/i.test(head)) return null;
  const charset = /CHARSET\s*[:=]\s*"?([\w-]+)/i.exec(head)?.[1];
  const encoding = /ENCODING\s*[:=]\s*"?([\w-]+)/i.exec(head)?.[1];
  return supported(charset) ?? supported(encoding);
}

function supported(name: string | undefined): string | null {
  if (name === undefined || /^(none|unicode|csunicode|us-?ascii|ascii|utf-?16)$/i.test(name)) return null;
  const encoding = name.replace(/^(?:iso-?)?8859-?(?=\d)/i, 'iso-8859-').toLowerCase();
  // All writers of Latin 1 mean Windows-1252, which has a letter or a sign where Latin 1 has control characters.
  if (encoding === 'iso-8859-1' || encoding === 'latin1') return FALLBACK;
  return iconv.encodingExists(encoding) ? encoding : null;
}
