import { CsvAccounts } from './csv-accounts.js';
import { type CsvLayout, headOf } from './csv-layout.js';
import { preambleOf } from './csv-preamble.js';
import { type CsvRecord, declaredSeparator, recordsOf, withPlainLineEnds } from './csv-records.js';
import { notationOf, type WrittenRow, writtenRow } from './csv-rows.js';
import {
  type FileQuestion,
  Problems,
  type ReadOptions,
  type StatementFile,
  UnreadableFileError,
} from './statement-file.js';

const PREVIEW_ROWS = 10;

/** Reads the text of a CSV file: lines above the header, rows, lines below. */
export function readCsv(text: string, options: ReadOptions): StatementFile {
  const plain = withPlainLineEnds(text);
  const { separator, layout } = headOf(plain, options.choices, options.today);
  const problems = new Problems();
  const body = declaredSeparator(plain) === null ? plain : plain.replace(/^[^\n]*/, '');
  const records = recordsOf(body, separator, problems);
  const rows = records.slice(layout.above).map((record) => writtenRow(record, layout, options.today));
  if (!layout.header && !rows.some(({ date, money }) => date && Object.values(money).some(Boolean))) {
    throw new UnreadableFileError('This is not a file of a bank: no line of it has a date and an amount.');
  }

  const preamble = preambleOf(records.slice(0, Math.max(0, layout.above - 1)), options.today);
  const sections = sectionsOf(rows, layout);
  const { notation, asks } = notationOf(rows, layout, preamble.dates, preamble.currency, options);
  if (layout.isGuess) asks.unshift(questionOfColumns(layout));
  const reading = new CsvAccounts({ layout, notation, rows, options, problems });
  reading.startSection(preamble);
  for (const { above, rows: ofSection } of sections) {
    if (above) reading.startSection(preambleOf(above, options.today));
    for (const row of ofSection) reading.add(row);
  }
  reading.finish(asks);
  if (rows.length === 0) problems.add(layout.header?.line ?? null, 'The file has no rows.');
  problems.listed.sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
  return {
    format: 'csv',
    accounts: reading.accounts(),
    problems: problems.listed,
    problemCount: problems.count,
    asks,
    notes: reading.notes,
    csv: {
      separator,
      header: layout.header?.cells ?? null,
      firstRows: rows.slice(0, PREVIEW_ROWS).map(({ record }) => record.cells),
      columns: layout.columns,
    },
  };
}

interface Section {
  /** The lines above the header that stands here again; `null`: the file's first rows. */
  above: CsvRecord[] | null;
  rows: WrittenRow[];
}

/** A file may have its accounts one below the other, or its pages, each with the same header. */
function sectionsOf(rows: readonly WrittenRow[], { header }: CsvLayout): Section[] {
  const sections: Section[] = [{ above: null, rows: [] }];
  const names = header && String(header.cells);
  for (const row of rows) {
    const { rows: before } = sections.at(-1)!;
    if (row.date !== null || String(row.record.cells) !== names) before.push(row);
    else {
      const lastRow = before.findLastIndex(({ date }) => date !== null);
      const above = before.splice(lastRow + 1).map(({ record }) => record);
      sections.push({ above, rows: [] });
    }
  }
  return sections;
}

function questionOfColumns({ header }: CsvLayout): FileQuestion {
  const message = header
    ? 'Which columns have the date, the amount and the text?'
    : 'The file names no columns. Which ones have the date, the amount and the text?';
  return { choice: 'columns', message };
}
