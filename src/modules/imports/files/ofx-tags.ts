import { UnreadableFileError } from './statement-file.js';

/** What the tags of a file say, in its order. Names are in upper case, lines count from 1. */
export interface OfxEvents {
  open(name: string, line: number): void;
  value(name: string, text: string, line: number): void;
  close(name: string): void;
}

const MARKUP = /<(?:(\/?)([A-Za-z][\w.]{0,31})(?:\s[^<>]*)?\/?>|(!\[CDATA\[)|(!--)|(\?)|(!DOCTYPE|!ENTITY))/gi;

/** A tag of another name ends a value at the begin of a line only: texts may have a "<" of their own. */
const NAMES = new Set(
  `OFX SIGNONMSGSRSV1 SONRS STATUS CODE SEVERITY MESSAGE DTSERVER LANGUAGE DTPROFUP DTACCTUP FI ORG FID SESSCOOKIE
  BANKMSGSRSV1 STMTTRNRS TRNUID CLTCOOKIE STMTRS CURDEF BANKACCTFROM BANKACCTTO BANKID BRANCHID ACCTID ACCTTYPE ACCTKEY
  CREDITCARDMSGSRSV1 CCSTMTTRNRS CCSTMTRS CCACCTFROM CCACCTTO BANKTRANLIST BANKTRANLISTP DTSTART DTEND STMTTRN STMTTRNP
  TRNTYPE DTPOSTED DTUSER DTAVAIL DTTRAN DTEXPIRE TRNAMT FITID CORRECTFITID CORRECTACTION SRVRTID CHECKNUM REFNUM SIC
  PAYEEID NAME EXTDNAME PAYEE ADDR1 ADDR2 ADDR3 CITY STATE POSTALCODE COUNTRY PHONE MEMO IMAGEDATA CURRENCY ORIGCURRENCY
  CURRATE CURSYM INV401KSOURCE LEDGERBAL AVAILBAL BALAMT DTASOF BALLIST BAL DESC BALTYPE VALUE MKTGINFO
  INVSTMTMSGSRSV1 INVSTMTTRNRS INVSTMTRS INVACCTFROM BROKERID INVTRANLIST INVTRAN INVBANKTRAN INVBUY INVSELL INVBAL
  AVAILCASH MARGINBALANCE SHORTBALANCE BUYPOWER INVPOSLIST INVPOS DTTRADE DTSETTLE TOTAL UNITS UNITPRICE COMMISSION FEES
  TAXES SECID UNIQUEID UNIQUEIDTYPE SUBACCTSEC SUBACCTFUND BUYTYPE SELLTYPE INCOMETYPE SECLISTMSGSRSV1 SECLIST SECINFO
  SECNAME TICKER`.split(/\s+/),
);

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', nbsp: ' ', quot: '"', apos: "'" };

/**
 * Reads the tags of OFX 1, in which values need not be closed, and of OFX 2, as banks write them: with bare ampersands,
 * entities of HTML, and closing tags of another name.
 *
 * @throws UnreadableFileError for a document type: entities of their own are made for attacks only
 */
export function readTags(text: string, events: OfxEvents): void {
  const lineOf = lineCounter(text);
  const isUpperCase = /<OFX[\s>]/.test(text);
  let element: { name: string; line: number } | null = null;
  let value = '';
  let from = 0;
  const finish = () => {
    if (element && value.trim() !== '') events.value(element.name, value, element.line);
    element = null;
    value = '';
  };
  const missing = new Set<string>();
  /** A mark that is not found is never sought again, since the file may have a million of what it ends. */
  const endOf = (mark: string, index: number) => {
    const end = missing.has(mark) ? -1 : text.indexOf(mark, index);
    if (end === -1) missing.add(mark);
    return end;
  };
  /** What stands in the middle of a value is text, unless its name is known. */
  const isTag = (written: string, isClosing: boolean, index: number) => {
    const name = written.toUpperCase();
    if (isClosing && name === element?.name) return true;
    if (isUpperCase && written !== name) return false;
    return NAMES.has(name) || name.includes('.') || standsAlone(text, from, index);
  };

  const pattern = new RegExp(MARKUP);
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const [all, slash, written = '', cdata, comment, instruction, doctype] = found;
    const { index } = found;
    if (doctype !== undefined && element === null) {
      throw new UnreadableFileError('A document type declaration is not accepted.', lineOf(index));
    }
    const end = cdata !== undefined ? endOf(']]>', index) : comment !== undefined ? endOf('-->', index) : -1;
    if (end !== -1) {
      value += decoded(text.slice(from, index));
      if (cdata !== undefined) value += text.slice(index + all.length, end);
      from = pattern.lastIndex = end + 3;
    } else if (instruction !== undefined && element === null) {
      from = pattern.lastIndex = Math.max(pattern.lastIndex, endOf('?>', index) + 2);
    } else if (written !== '' && isTag(written, slash === '/', index)) {
      value += decoded(text.slice(from, index));
      finish();
      from = pattern.lastIndex;
      const name = written.toUpperCase();
      if (slash === '/') events.close(name);
      else {
        element = { name, line: lineOf(index) };
        events.open(name, element.line);
      }
    }
  }
  // What follows the last tag is a value that was cut, or nothing.
}

function standsAlone(text: string, tagEnd: number, index: number): boolean {
  let at = index;
  while (at > tagEnd && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--;
  return at === tagEnd || text[at - 1] === '\n' || text[at - 1] === '\r';
}

/** Once only: `&amp;amp;` is the text `&amp;`. */
function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|nbsp|quot|apos));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()]!;
    const point = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    const isCharacter = point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    return isCharacter ? String.fromCodePoint(point) : String(all);
  });
}

/** The line of a place in a text, given places that rise. */
function lineCounter(text: string): (index: number) => number {
  let at = 0;
  let line = 1;
  return (index) => {
    for (; at < index; at++) {
      const code = text.charCodeAt(at);
      if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) line++;
    }
    return line;
  };
}
