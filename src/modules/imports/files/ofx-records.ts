import { readTags } from './ofx-tags.js';
import type { Problems } from './statement-file.js';
import { refuseMoreThanRows } from './statements.js';

/** A row, a balance, or an account, with its values by name; within another element by both names: `PAYEE/NAME`. */
export interface OfxRecord {
  name: string;
  line: number;
  values: Map<string, string>;
}

export interface OfxAccount {
  id?: string;
  kind?: string;
}

export interface OfxStatement {
  line: number;
  account: OfxAccount;
  currency: { text: string; line: number } | null;
  /** Of an investment account. */
  asOf: string | null;
  records: OfxRecord[];
}

/** Elements that hold a statement, and the kind of their account where they say it. */
const STATEMENTS = new Map([
  ['STMTRS', ''],
  ['CCSTMTRS', 'credit_card'],
  ['INVSTMTRS', 'investment'],
]);
const ACCOUNTS = new Set(['BANKACCTFROM', 'CCACCTFROM', 'INVACCTFROM']);
const KINDS: Record<string, string> = {
  CHECKING: 'checking',
  SAVINGS: 'savings',
  MONEYMRKT: 'savings',
  CD: 'savings',
  CREDITLINE: 'loan',
};
const LISTS = new Set(['BANKTRANLIST', 'BANKTRANLISTP', 'INVTRANLIST']);
const RECORDS = new Set([
  ...ACCOUNTS,
  ...'STMTTRN STMTTRNP LEDGERBAL AVAILBAL INVBAL SECINFO'.split(' '),
  ...'BUYDEBT BUYMF BUYOPT BUYOTHER BUYSTOCK SELLDEBT SELLMF SELLOPT SELLOTHER SELLSTOCK INCOME INVEXPENSE'.split(' '),
  ...'MARGININTEREST RETOFCAP REINVEST TRANSFER JRNLSEC JRNLFUND SPLIT CLOSUREOPT'.split(' '),
]);
/** Their values would be taken for those of the row around them. */
const NESTED = new Set([
  'PAYEE',
  'BANKACCTTO',
  'CCACCTTO',
  'CURRENCY',
  'ORIGCURRENCY',
  'SECID',
  'BALLIST',
  'IMAGEDATA',
]);

/** No record has half as many. */
const MAX_VALUES = 100;

/** Finds the statements of a file, also where the elements around them are missing, or closed by another name. */
export function readRecords(text: string, problems: Problems) {
  const statements: OfxStatement[] = [];
  const securities = new Map<string, string>();
  let statement: OfxStatement | null = null;
  let record: OfxRecord | null = null;
  let nested: string | null = null;
  /** Of the whole file, of a list of rows: whether it was opened and never closed. */
  const unclosed = new Set<string>();
  let made: string | null = null;
  let rejection: string | null = null;
  let lastLine = 1;
  let count = 0;

  const begin = (line: number, kind?: string): OfxStatement => {
    refuseMoreThanRows(++count);
    const begun = { line, account: kind === undefined ? {} : { kind }, currency: null, asOf: null, records: [] };
    statements.push(begun);
    return begun;
  };
  const endRecord = () => {
    const ended = record;
    record = nested = null;
    if (ended === null) return;
    const { name, line, values } = ended;
    if (name === 'SECINFO') {
      securities.set(values.get('SECID/UNIQUEID') ?? '', values.get('SECNAME') ?? values.get('TICKER') ?? '');
      return;
    }
    statement ??= begin(line);
    if (!ACCOUNTS.has(name)) statement.records.push(ended);
    else {
      const id = values.get('ACCTID');
      // A second account, whose statement does not begin as it should.
      if (statement.records.length > 0 && statement.account.id !== id) statement = begin(line, statement.account.kind);
      const kind = KINDS[values.get('ACCTTYPE')?.trim().toUpperCase() ?? ''] ?? statement.account.kind;
      statement.account = { ...(id && { id }), ...(kind && { kind }) };
    }
  };

  readTags(text, {
    open(name, line) {
      lastLine = line;
      const kind = STATEMENTS.get(name);
      if (kind !== undefined) {
        endRecord();
        statement = begin(line, kind);
      } else if (RECORDS.has(name)) {
        endRecord();
        refuseMoreThanRows(++count);
        record = { name, line, values: new Map() };
      } else if (NESTED.has(name)) {
        if (record !== null) nested = name;
      } else if (LISTS.has(name)) {
        endRecord();
        statement ??= begin(line);
        unclosed.add(name);
      } else if (name === 'OFX') unclosed.add(name);
    },
    value(name, value, line) {
      lastLine = line;
      if (record !== null) {
        const key = nested === null ? name : `${nested}/${name}`;
        if (!record.values.has(key) && record.values.size < MAX_VALUES) record.values.set(key, value);
      } else if (name === 'CURDEF' && statement !== null) statement.currency ??= { text: value, line };
      else if (name === 'DTASOF' && statement !== null) statement.asOf ??= value;
      else if (name === 'DTSERVER') made ??= value;
      else if (name === 'MESSAGE') rejection ??= value;
    },
    close(name) {
      if (name === record?.name) endRecord();
      else if (name === nested) nested = null;
      else if (LISTS.has(name) || name === 'OFX' || STATEMENTS.has(name)) {
        endRecord();
        // Banks close a card's statement as if it were another one's.
        if (LISTS.has(name)) unclosed.delete(name);
        else {
          statement = null;
          for (const list of LISTS) unclosed.delete(list);
          if (name === 'OFX') unclosed.delete(name);
        }
      }
    },
  });

  const cut = record as OfxRecord | null;
  if (cut !== null)
    problems.add(cut.line, 'The file ends within this row or balance, which is not complete. It is left out.');
  else if (unclosed.size > 0) problems.add(lastLine, 'The file ends before its end: something may be missing.');
  const real = statements.filter(
    ({ account, currency, records }) => account.kind !== undefined || currency !== null || records.length > 0,
  );
  return { statements: real, securities, made: made as string | null, rejection: rejection as string | null };
}
