import {
  type AccountRow,
  Choice,
  Choices,
  Column,
  type Fields,
  Form,
  isUuid,
  SelectField,
  Submit,
  textOf,
  WideTable,
} from '../../../kit.js';
import type { CsvPreview, DateOrder, FileColumn } from '../files/statement-file.js';
import type { ImportPreview, ImportQuestion, Target } from '../import.entities.js';
import { DATE_ORDERS, DECIMAL_SIGNS, FILE_COLUMNS, SIGNS } from '../import.request.js';
import type { ChoiceChanges } from '../imports.service.js';
import type { ImportRow } from '../list-imports.service.js';

/** Those that a person may have to choose. */
const COLUMNS = {
  date: 'Date',
  amount: 'Amount',
  debit: 'Money out',
  credit: 'Money in',
  text: 'Description',
  payee: 'Payee',
  balance: 'Balance after each row',
} as const satisfies Partial<Record<FileColumn, string>>;

const ORDERS: Record<DateOrder, string> = {
  dmy: 'Day first',
  mdy: 'Month first',
  ymd: 'Year first',
};
const DECIMALS = { '.': 'Point: 1.500 is one and a half', ',': 'Comma: 1.500 is fifteen hundred' };
const SIGN_TEXTS = { as_written: 'Money out has a minus', flip: 'Money out has no minus, and money in has one' };
const ENCODINGS = ['utf-8', 'windows-1252', 'iso-8859-15', 'utf-16le'];

interface ReadingFormProps {
  found: ImportRow;
  preview: ImportPreview;
  accounts: readonly AccountRow[];
}

/** How the file is read: what it asks, and what may be changed. */
export function ReadingForm({ found: { id, choices }, preview, accounts }: ReadingFormProps) {
  const { csv, questions, file_accounts: fileAccounts, encoding } = preview;
  const isAsked = (choice: ImportQuestion['choice']) => questions.some((question) => question.choice === choice);
  return (
    <details class="card" open={questions.length > 0}>
      <summary>How the file is read</summary>
      <Form action={`/imports/${id}`} class="stack">
        <ul class="lines">
          {questions.map(({ choice, message }) => (
            <li key={choice}>
              <b>{message}</b>
            </li>
          ))}
        </ul>
        {csv && <FirstRows csv={csv} />}
        {(isAsked('date_order') || choices.date_order) && (
          <Radios name="date_order" legend="Dates" texts={ORDERS} chosen={choices.date_order} />
        )}
        {(isAsked('decimal') || choices.decimal) && (
          <Radios name="decimal" legend="Decimals" texts={DECIMALS} chosen={choices.decimal} />
        )}
        <Radios
          name="sign"
          legend="Amounts"
          texts={SIGN_TEXTS}
          chosen={choices.sign ?? (isAsked('sign') ? '' : 'as_written')}
        />
        {fileAccounts.length > 1 &&
          fileAccounts.map(({ place, name, identifier, currency, rows }) => (
            <SelectField
              key={place}
              name={`account_${place}`}
              label={`${name ?? identifier ?? `Account ${place + 1}`}${currency ? ` (${currency})` : ''}, ${rows} rows`}
              selected={choices.accounts?.find((target) => target.file_account === place)?.account_id ?? ''}
              options={[
                { value: '', text: 'Not imported' },
                ...accounts.map((one) => ({ value: one.id, text: one.name })),
              ]}
            />
          ))}
        <details open={isAsked('columns')}>
          <summary>{csv ? 'Columns and encoding' : 'Encoding'}</summary>
          {csv && <ColumnFields csv={csv} />}
          <SelectField
            name="encoding"
            label="Encoding"
            selected={choices.encoding ?? ''}
            options={[
              { value: '', text: `Found: ${encoding ?? 'none'}` },
              ...ENCODINGS.map((value) => ({ value, text: value })),
            ]}
          />
        </details>
        <Submit class="second">Read again</Submit>
      </Form>
    </details>
  );
}

function Radios({
  name,
  legend,
  texts,
  chosen,
}: {
  name: string;
  legend: string;
  texts: Record<string, string>;
  chosen: string | undefined;
}) {
  return (
    <Choices name={name} legend={legend}>
      {Object.entries(texts).map(([value, text]) => (
        <Choice key={value} type="radio" name={name} value={value} checked={value === chosen}>
          {text}
        </Choice>
      ))}
    </Choices>
  );
}

function FirstRows({ csv: { header, firstRows } }: { csv: CsvPreview }) {
  return (
    <WideTable label="The first rows of the file">
      {header && (
        <thead>
          <tr>
            {header.map((cell, place) => (
              <Column key={place}>{cell}</Column>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {firstRows.slice(0, 5).map((cells, row) => (
          <tr key={row}>
            {cells.map((cell, place) => (
              <td key={place}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}

function ColumnFields({ csv: { header, firstRows, columns } }: { csv: CsvPreview }) {
  const width = Math.max(header?.length ?? 0, ...firstRows.map(({ length }) => length));
  const nameOf = (place: number) => header?.[place]?.trim() || firstRows[0]?.[place]?.trim() || '';
  const places = Array.from({ length: width }, (_, place) => ({
    value: String(place),
    text: `${place + 1}. ${nameOf(place)}`,
  }));
  return (
    <>
      {Object.entries(COLUMNS).map(([name, text]) => (
        <SelectField
          key={name}
          name={`column_${name}`}
          label={text}
          selected={String(columns[name as FileColumn] ?? '')}
          options={[{ value: '', text: 'No column' }, ...places]}
        />
      ))}
    </>
  );
}

/** What was entered. Columns that the form does not have stay where they are. */
export function choicesIn(body: Fields, { preview, choices }: ImportRow): ChoiceChanges {
  const oneOf = <Value extends string>(name: string, values: readonly Value[]) =>
    values.find((value) => value === textOf(body, name));
  const date_order = oneOf('date_order', DATE_ORDERS);
  const decimal = oneOf('decimal', DECIMAL_SIGNS);
  const sign = oneOf('sign', SIGNS);
  const encoding = oneOf('encoding', ENCODINGS);
  const columns = columnsIn(body, preview);
  const accounts = (preview?.file_accounts ?? []).flatMap(({ place }): Target[] => {
    const account_id = textOf(body, `account_${place}`);
    return isUuid(account_id) ? [{ file_account: place, account_id }] : [];
  });
  return {
    ...(date_order && { date_order }),
    ...(decimal && { decimal }),
    ...(sign && (sign === 'flip' || choices.sign || isAskedIn(preview, 'sign')) && { sign }),
    ...(encoding && { encoding }),
    ...(columns && { columns }),
    ...(accounts.length > 0 && { accounts }),
  };
}

function isAskedIn(preview: ImportPreview | null, choice: ImportQuestion['choice']): boolean {
  return preview?.questions.some((question) => question.choice === choice) ?? false;
}

/** `null`: they are as they were found, and nothing is asked about them. */
function columnsIn(body: Fields, preview: ImportPreview | null): Partial<Record<FileColumn, number>> | null {
  if (!preview?.csv) return null;
  const found = preview.csv.columns;
  const chosen = { ...found };
  for (const name of Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]) {
    const text = textOf(body, `column_${name}`);
    if (/^\d{1,3}$/.test(text)) chosen[name] = Number(text);
    else delete chosen[name];
  }
  const isSame = FILE_COLUMNS.every((name) => chosen[name] === found[name]);
  return isSame && !isAskedIn(preview, 'columns') ? null : chosen;
}
