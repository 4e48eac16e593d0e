import type { CalendarDate } from '../../src/platform/time/calendar-date.js';
import { minorDigits } from '../../src/platform/money/currency.js';
import { decimalText } from '../../src/platform/money/minor-units.js';

/** What a bank would write into a file: rows in the order of their booking. */
export interface WrittenStatement {
  account: string;
  currency: string;
  rows: readonly WrittenRow[];
  /** Before the first row, and after the last one. CSV has a running balance where the opening one is known. */
  opening?: { day: CalendarDate; amountMinor: number };
  closing?: { day: CalendarDate; amountMinor: number };
}

export interface WrittenRow {
  day: CalendarDate;
  amountMinor: number;
  description: string;
  /** The bank's own id. */
  id?: string;
}

export function csvText({ currency, rows, opening }: WrittenStatement): string {
  const amount = amountIn(currency);
  let balance = opening?.amountMinor ?? 0;
  const lines = rows.map(({ day, amountMinor, description }) => {
    balance += amountMinor;
    const cells = [day, `"${description.replaceAll('"', '""')}"`, amount(amountMinor)];
    return [...cells, ...(opening ? [amount(balance)] : []), currency].join(',');
  });
  const header = ['Date', 'Description', 'Amount', ...(opening ? ['Balance'] : []), 'Currency'].join(',');
  return `${[header, ...lines].join('\r\n')}\r\n`;
}

/** OFX 1.02. It has no opening balance; the file was made on the day after the closing one. */
export function ofxText({ account, currency, rows, closing }: WrittenStatement): string {
  const amount = amountIn(currency);
  const entries = rows.map(({ day, amountMinor, description, id }) =>
    [
      '<STMTTRN>',
      `<TRNTYPE>${amountMinor < 0 ? 'DEBIT' : 'CREDIT'}`,
      `<DTPOSTED>${digitsOf(day)}120000`,
      `<TRNAMT>${amount(amountMinor)}`,
      ...(id === undefined ? [] : [`<FITID>${id}`]),
      `<NAME>${escaped(description)}`,
      '</STMTTRN>',
    ].join('\n'),
  );
  const ledger = closing
    ? `<LEDGERBAL><BALAMT>${amount(closing.amountMinor)}<DTASOF>${digitsOf(closing.day)}</LEDGERBAL>`
    : '';
  return [
    'OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:UTF-8\nCHARSET:NONE\nCOMPRESSION:NONE',
    'OLDFILEUID:NONE\nNEWFILEUID:NONE\n',
    `<OFX><BANKMSGSRSV1><STMTTRNRS><TRNUID>0<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>${currency}`,
    `<BANKACCTFROM><BANKID>000000001<ACCTID>${account}<ACCTTYPE>CHECKING</BANKACCTFROM>`,
    '<BANKTRANLIST>',
    ...entries,
    '</BANKTRANLIST>',
    `${ledger}</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`,
    '',
  ].join('\n');
}

/** CAMT.053.001.08. */
export function camtText({ account, currency, rows, opening, closing }: WrittenStatement): string {
  const money = (minor: number) =>
    `<Amt Ccy="${currency}">${amountIn(currency)(Math.abs(minor))}</Amt>` +
    `<CdtDbtInd>${minor < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
  const balance = (code: string, of: WrittenStatement['opening']) =>
    of
      ? `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${money(of.amountMinor)}<Dt><Dt>${of.day}</Dt></Dt></Bal>`
      : '';
  const entries = rows.map(({ day, amountMinor, description, id }) =>
    [
      `<Ntry>${money(amountMinor)}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>`,
      id === undefined ? '' : `<AcctSvcrRef>${id}</AcctSvcrRef>`,
      `<NtryDtls><TxDtls><RmtInf><Ustrd>${escaped(description)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
    ].join(''),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>',
    `<Stmt><Id>1</Id><Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>${currency}</Ccy></Acct>`,
    balance('OPBD', opening),
    balance('CLBD', closing),
    ...entries,
    '</Stmt></BkToCstmrStmt></Document>',
    '',
  ].join('\n');
}

function amountIn(currency: string): (minor: number) => string {
  return (minor) => decimalText(minor, minorDigits(currency) ?? 2);
}

function digitsOf(day: CalendarDate): string {
  return day.replaceAll('-', '');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
