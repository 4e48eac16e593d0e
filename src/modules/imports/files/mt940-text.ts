/** What field 86 says of a row. */
export interface InformationText {
  text: string;
  /** The bank's word for what the row is. */
  kind: string;
  /** Of the other side. */
  name: string;
}

/** A code of three digits, then parts of which each has two digits: `105?00…?20…`. Some banks have another sign. */
const STRUCTURED = /^\d{3}([?>@~^<|])\d\d/;
/** `/NAME/…/REMI/…`, and the words within one that has parts of its own. */
const SLASHES = /^\/[A-Z]{2,5}\//;
const SLASH_WORD =
  /\/(ABWA|ABWE|ADDR|BENM|BIC|CNTP|CREF|CSID|EREF|EXCH|IBAN|ISDT|MARF|NAME|OCMT|ORDP|PREF|PURP|REMI|RTRN|SUM|SWOC|TRCD|TRTP|ULTB|ULTC|ULTD)\//;
/** Words of SEPA within the text. */
const SEPA_WORD = /(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|PURP|IBAN|BIC)\+/;

export function readInformation(lines: readonly string[]): InformationText {
  const joined = lines.join('');
  const sign = STRUCTURED.exec(joined)?.[1];
  if (sign !== undefined) return structured(joined, sign);
  if (SLASHES.test(joined)) return slashed(joined);
  return { text: lines.join(' '), kind: '', name: '' };
}

/** Lines and parts are joined as they are, since banks cut in the middle of words. */
function structured(joined: string, sign: string): InformationText {
  let text = '';
  let kind = '';
  let name = '';
  for (const part of joined.slice(3).split(sign).slice(1)) {
    const number = Number(/^\d\d/.exec(part)?.[0] ?? Number.NaN);
    const value = part.slice(2);
    if (Number.isNaN(number)) text += sign + part;
    else if (number === 0) kind += value;
    else if ((number >= 20 && number <= 29) || (number >= 60 && number <= 63)) text += value;
    else if (number === 32 || number === 33) name += value;
  }
  return { text: purposeOf(text), kind, name };
}

/** The purpose alone, where SEPA's words tell it from references. */
function purposeOf(text: string): string {
  const parts = text.split(SEPA_WORD);
  const place = parts.indexOf('SVWZ');
  return place > 0 && place % 2 === 1 ? parts[place + 1]! : text;
}

function slashed(joined: string): InformationText {
  const parts = joined.split(SLASH_WORD);
  const values = new Map<string, string>();
  for (let place = 1; place + 1 < parts.length; place += 2) {
    const value = withoutSlashes(parts[place + 1]!);
    if (value !== '' && !values.has(parts[place]!)) values.set(parts[place]!, value);
  }
  // Its third part, after the number of the account and the bank.
  const side = values.get('CNTP')?.split('/')[2];
  return {
    text: (values.get('REMI') ?? '').replace(/^(?:USTD|STRD\/[A-Z]{3})\/+/, ''),
    kind: values.get('TRTP') ?? '',
    name: values.get('NAME') ?? side ?? '',
  };
}

/** Around a value, where an expression would take time that grows with the square of their number. */
function withoutSlashes(value: string): string {
  let start = 0;
  let end = value.length;
  while (value[start] === '/') start++;
  while (end > start && value[end - 1] === '/') end--;
  return value.slice(start, end);
}
