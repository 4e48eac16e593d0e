import { parse } from 'csv-parse/sync';
import yauzl from 'yauzl';
import { type CalendarDate, isCalendarDate } from '../../kit.js';

/** The rates of one day, as published: units of each currency for one euro, as decimal text. */
export interface DayOfRates {
  date: CalendarDate;
  rates: Readonly<Record<string, string>>;
}

/** A file of rates that is not as it must be; the message follows the name of the file. */
export class RatesFileError extends Error {
  override readonly name = 'RatesFileError';
}

/** The whole history of the European Central Bank has some 2 MB. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const NO_RATE = new Set(['', '-', 'N/A']);
const RATE = /^\d{1,12}(\.\d{1,12})?$/;

/**
 * Reads a file of the European Central Bank: its CSV, or a zip with it. Columns are known by their names, since new ones come
 * and others end. A file is read as a whole or not at all.
 *
 * @returns oldest first, each day once
 * @throws RatesFileError
 */
export async function readRates(file: Buffer): Promise<DayOfRates[]> {
  return readCsv((isZip(file) ? await unzip(file) : file).toString('utf8'));
}

function readCsv(text: string): DayOfRates[] {
  const [[header, ...columns] = [], ...lines] = recordsOf(text);
  if (header !== 'Date') throw new RatesFileError('must begin with a line of names, the first of them Date');
  const days = new Map<CalendarDate, DayOfRates>();
  for (const [index, [day = '', ...cells]] of lines.entries()) {
    const where = `in line ${index + 2}`;
    const date = dayOf(day);
    if (date === null) throw new RatesFileError(`has no date ${where}: ${day.slice(0, 40)}`);
    const rates: Record<string, string> = {};
    columns.forEach((currency, column) => {
      const rate = cells[column] ?? '';
      // The last comma of a line is followed by nothing.
      if (!/^[A-Z]{3}$/.test(currency) || NO_RATE.has(rate)) return;
      if (!RATE.test(rate) || Number(rate) === 0) {
        throw new RatesFileError(`has no rate of ${currency} ${where}: ${rate.slice(0, 40)}`);
      }
      rates[currency] = rate;
    });
    days.set(date, { date, rates });
  }
  if (days.size === 0) throw new RatesFileError('has no day');
  return [...days.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
}

function recordsOf(text: string): string[][] {
  try {
    const options = { bom: true, relax_column_count: true, skip_empty_lines: true, trim: true };
    const records: string[][] = parse(text, options);
    return records;
  } catch (error) {
    throw new RatesFileError(`is no CSV: ${(error as Error).message}`);
  }
}

/** ISO, and in the file of one day words: `28 November 2026`. */
function dayOf(text: string): CalendarDate | null {
  const [, day = '', name = '', year = ''] = /^(\d{1,2}) (\w+) (\d{4})$/.exec(text) ?? [];
  const month = String(MONTHS.indexOf(name.toLowerCase()) + 1);
  const date = year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text;
  return isCalendarDate(date) ? date : null;
}

const isZip = (file: Buffer) => file.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004';

/** The first CSV in a zip. @throws RatesFileError */
function unzip(file: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new RatesFileError(`is a zip that cannot be read: ${error.message}`));
    yauzl.fromBuffer(file, { lazyEntries: true }, (error, zip) => {
      if (error) return fail(error);
      zip.on('error', fail);
      zip.on('end', () => reject(new RatesFileError('is a zip without a CSV')));
      zip.on('entry', (entry: yauzl.Entry) => {
        if (!entry.fileName.endsWith('.csv')) return zip.readEntry();
        if (entry.uncompressedSize > MAX_FILE_BYTES) return reject(tooLarge());
        zip.openReadStream(entry, (problem, stream) => {
          if (problem) return fail(problem);
          // More bytes than the entry says are an error of the stream.
          stream.toArray().then((chunks) => resolve(Buffer.concat(chunks as Buffer[])), fail);
        });
      });
      zip.readEntry();
    });
  });
}

export const tooLarge = () => new RatesFileError(`is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`);
