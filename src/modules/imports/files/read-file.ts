import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import type { CalendarDate } from '../../../kit.js';
import { readCamt } from './camt.js';
import { readCsv } from './csv.js';
import { headOf } from './csv-layout.js';
import { withPlainLineEnds } from './csv-records.js';
import { decode } from './decode.js';
import { readMt940 } from './mt940.js';
import { readOfx } from './ofx.js';
import { readQif } from './qif.js';
import {
  type FileFormat,
  mergeAccounts,
  Problems,
  type Reader,
  type ReadOptions,
  type StatementFile,
  UnreadableFileError,
} from './statement-file.js';
import { withEnds } from './statements.js';

const MIB = 1024 * 1024;
const MAX_BYTES = 25 * MIB;
const MAX_ENTRIES = 200;
const MAX_UNPACKED = 100 * MIB;
const MAX_RATIO = 200;
/** Where a format shows. */
const HEAD = 65_536;
const SAMPLE_LINES = 5;
const SAMPLE_CHARS = 200;

const READERS: Record<FileFormat, Reader> = {
  'camt.053': readCamt,
  csv: readCsv,
  ofx: readOfx,
  mt940: readMt940,
  qif: readQif,
};

/** Of the files of a zip, those of the first format that occurs are read: banks put the same rows in beside it as CSV. */
const OF_ZIP: FileFormat[] = ['camt.053', 'ofx', 'mt940', 'qif', 'csv'];

/** What other programs' files begin with, in Latin 1. */
const OTHER_FILES: [RegExp, string][] = [
  [/^%PDF/, 'This is a PDF. Export the account as CSV, OFX or CAMT from the bank.'],
  [/^\xd0\xcf\x11\xe0/, 'This is a spreadsheet. Save it as CSV first.'],
  [/^\x1f\x8b|^Rar!|^7z\xbc\xaf/, 'This is an archive. Unpack it first.'],
];

/** Reads a file of a bank; the format is found from the bytes. */
export async function readFile(bytes: Buffer, options: ReadOptions): Promise<StatementFile> {
  if (bytes.length === 0) throw new UnreadableFileError('The file is empty.');
  if (bytes.length > MAX_BYTES) throw new UnreadableFileError('The file is larger than 25 MiB.');
  return isZip(bytes) ? readZip(bytes, options) : readOne(bytes, options);
}

/**
 * By what a person's choices for files like this one are remembered: the header line as text, the encoding and the
 * separator, so that a bank that adds a column is asked about again. It hangs on no choice. `null`: nothing is remembered.
 */
export function fingerprint(bytes: Buffer, today: CalendarDate): string | null {
  if (bytes.length === 0 || bytes.length > MAX_BYTES || isZip(bytes)) return null;
  const { text, encoding } = decode(bytes);
  const format = formatOf(bytes, text);
  if (format !== 'csv') return format;
  const { separator, layout } = headOf(withPlainLineEnds(text), {}, today);
  const columns = layout.header?.cells ?? layout.width;
  return JSON.stringify([format, encoding, separator, columns]);
}

function isZip(bytes: Buffer): boolean {
  return /^PK(\x03\x04|\x05\x06)/.test(bytes.toString('latin1', 0, 4));
}

function readOne(bytes: Buffer, options: ReadOptions): StatementFile {
  const { text, encoding } = decode(bytes, options.choices.encoding);
  const format = formatOf(bytes, text);
  const file = READERS[format](text, options);
  const problems = file.problems.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
  const accounts = file.accounts.map(withEnds);
  return { ...file, accounts, problems, encoding: { name: encoding, lines: nonAsciiLines(text) } };
}

/** The first lines that would read otherwise in another encoding. */
function nonAsciiLines(text: string): string[] {
  const lines: string[] = [];
  const nonAscii = /[^\x00-\x7f]/g;
  for (let found = nonAscii.exec(text); found && lines.length < SAMPLE_LINES; found = nonAscii.exec(text)) {
    const before = text
      .slice(Math.max(0, found.index - SAMPLE_CHARS), found.index)
      .split(/[\r\n]/)
      .at(-1)!;
    const [after = ''] = text.slice(found.index, found.index + SAMPLE_CHARS).split(/[\r\n]/, 1);
    lines.push(before + after);
    nonAscii.lastIndex = found.index + after.length;
  }
  return lines;
}

/** @throws UnreadableFileError for what no reader is made for */
function formatOf(bytes: Buffer, text: string): FileFormat {
  const start = bytes.toString('latin1', 0, 8);
  for (const [beginning, sentence] of OTHER_FILES) if (beginning.test(start)) throw new UnreadableFileError(sentence);
  const head = text.slice(0, HEAD).trimStart();
  if (head === '') throw new UnreadableFileError('The file is empty.');
  if (head.includes('\0')) throw new UnreadableFileError('This is no text file of a bank.');
  if (/^(?:<!DOCTYPE\s+html|<html)/i.test(head)) {
    throw new UnreadableFileError(
      'This is a web page and not a file of this format. The session at the bank may have ended before the download.',
    );
  }
  if (/OFXHEADER|<OFX[\s>]|<(?:BANKTRANLIST|STMTTRN|STMTRS|CCSTMTRS)>/i.test(head)) return 'ofx';
  if (head.startsWith('<')) {
    if (/camt\.05[234]|BkToCstmr/.test(head)) return 'camt.053';
    throw new UnreadableFileError('This is XML, and neither CAMT nor OFX.');
  }
  if (/^\{1:F\d\d/.test(head) || /^:(?:20|25|28C?|60[FM]|61|62[FM]):/m.test(head)) return 'mt940';
  return isQif(head) ? 'qif' : 'csv';
}

function isQif(head: string): boolean {
  if (/^!(?:type|account|option|clear)/i.test(head)) return true;
  const lines = head.split(/[\r\n]+/, 50).filter((line) => line !== '');
  return /^D\s?\d/.test(lines[0] ?? '') && lines.some((line) => /^T\s?[-+\d]/.test(line)) && lines.includes('^');
}

async function readZip(bytes: Buffer, options: ReadOptions): Promise<StatementFile> {
  const files = await unpack(bytes);
  const read: { name: string; file: StatementFile | UnreadableFileError }[] = [];
  for (const { name, content } of files) read.push({ name, file: readOrRefuse(content, options) });
  const good = read.flatMap(({ name, file }) => (file instanceof UnreadableFileError ? [] : [{ name, file }]));
  const format = OF_ZIP.find((format) => good.some(({ file }) => file.format === format));
  if (format === undefined) throw new UnreadableFileError(reasonOf(read));

  const problems = new Problems();
  const notes = [];
  const taken = good.filter(({ file }) => file.format === format);
  for (const { name, file } of taken) {
    for (const { line, message } of file.problems) problems.add(line, `${name}: ${message}`);
    problems.count += file.problemCount - file.problems.length;
    notes.push(...(file.notes ?? []));
  }
  for (const { name, file } of read) {
    if (taken.some((other) => other.name === name)) continue;
    const isStatement = /\.(xml|ofx|qfx|sta|mt940|qif)$/i.test(name) && file instanceof UnreadableFileError;
    if (isStatement) problems.add(file.line, `${name} was left out: ${file.message}`);
    else notes.push({ line: null, message: `${name} was left out: it is not of the format ${format}.` });
  }
  const asks = new Map(taken.flatMap(({ file }) => file.asks).map((ask) => [ask.choice, ask]));
  return {
    format,
    accounts: mergeAccounts(taken.flatMap(({ file }) => file.accounts)),
    problems: problems.listed,
    problemCount: problems.count,
    asks: [...asks.values()],
    notes,
  };
}

function readOrRefuse(content: Buffer, options: ReadOptions): StatementFile | UnreadableFileError {
  try {
    if (isZip(content)) return new UnreadableFileError('A zip within a zip is not read.');
    if (content.length === 0) return new UnreadableFileError('The file is empty.');
    return readOne(content, options);
  } catch (error) {
    if (error instanceof UnreadableFileError) return error;
    throw error;
  }
}

function reasonOf(read: readonly { name: string; file: unknown }[]): string {
  if (read.some(({ name }) => name === '[Content_Types].xml'))
    return 'This is a spreadsheet or a document. Save it as CSV.';
  const first = read.find(({ file }) => file instanceof UnreadableFileError);
  if (!first) return 'The zip has no files.';
  return `The zip has no file of a bank. ${first.name}: ${(first.file as Error).message}`;
}

/** All is counted while unpacking, since a header may say anything. */
async function unpack(bytes: Buffer): Promise<{ name: string; content: Buffer }[]> {
  const files: { name: string; content: Buffer }[] = [];
  let unpacked = 0;
  let entries = 0;
  try {
    const zip = await fromBufferPromise(bytes);
    for await (const entry of zip.eachEntry()) {
      if (++entries > MAX_ENTRIES) throw new UnreadableFileError(`The zip has more than ${MAX_ENTRIES} files.`);
      if (entry.fileName.endsWith('/')) continue;
      if (entry.isEncrypted()) throw new UnreadableFileError('The zip has a password. Unpack it first.');
      const most = MAX_RATIO * entry.compressedSize;
      let size = 0;
      const stream = await zip.openReadStreamPromise(entry);
      stream.on('data', ({ length }: Buffer) => {
        size += length;
        unpacked += length;
        if (size > most || unpacked > MAX_UNPACKED) {
          stream.destroy(new UnreadableFileError('The zip unpacks to more than a file of a bank has.'));
        }
      });
      files.push({ name: entry.fileName, content: await buffer(stream) });
    }
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error;
    throw new UnreadableFileError('This file is a damaged zip or Excel file. Export it as CSV.');
  }
  return files.sort((one, other) => (one.name < other.name ? -1 : 1));
}
