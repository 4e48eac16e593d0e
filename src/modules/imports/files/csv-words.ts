import { currencyCode } from '../../../kit.js';
import type { FileColumn } from './statement-file.js';

/** Longer texts name no column. */
const MAX_NAME = 100;

/** A name of a column without capitals, accents, brackets and punctuation; the currency that stands in it apart. */
export function plainName(text: string): { name: string; currency: string | null } {
  const cell = text.slice(0, MAX_NAME);
  const currency =
    cell
      .split(/[^\p{L}€£]+/u)
      .map(currencyInHeader)
      .find((found) => found !== null) ?? null;
  const name = cell
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/ł/g, 'l')
    .replace(/ø/g, 'o')
    .replace(/æ/g, 'ae')
    .replace(/ß/g, 'ss')
    .replace(/\([^)]*\)|\[[^\]]*\]/g, ' ')
    .replace(/[^\p{L}\d]+/gu, ' ')
    .trim();
  if (currency === null) return { name, currency };
  const bare = name.replace(new RegExp(`(?:^| )(?:in )?${currency.toLowerCase()}$`), '').trim();
  return { name: bare || name, currency };
}

function currencyInHeader(word: string): string | null {
  if (word === '€') return 'EUR';
  if (word === '£') return 'GBP';
  return /^[A-Z]{3}$/.test(word) ? currencyCode(word) : null;
}

/** Names that are written so, or that have a part. */
interface Words {
  names: ReadonlySet<string>;
  within: RegExp | null;
}

function words(names: string, within: RegExp | null = null): Words {
  return { names: new Set(names.split(',').map((name) => name.trim())), within };
}

const isOne = ({ names, within }: Words, name: string) => names.has(name) || within?.test(name) === true;

/** The booking day, any date, the day of a purchase, the value day: the first of them is the day of a row. */
const DATES: Words[] = [
  words(
    `buchungstag, buchungsdatum, buchung, gebucht, gebucht am, booking date, booked date, booked, booked on, posting date,
    posted date, post date, posted, posted on, date posted, completed date, completion date, completed, date comptable,
    date comptabilisation, date de comptabilisation, boekingsdatum, boekdatum, bogfort dato, bogforingsdato, bokfort dato,
    bokforingsdato, bokforingsdag, bokforingsdatum, bokford, fecha contable, fecha de contabilizacion, data contabile,
    data ksiegowania, konyveles datuma, konyvelesi datum, datum zauctovani, kirjauspaiva`,
  ),
  words(
    'date, datum, dato, data, fecha, tarih, paiva, pvm, paivamaara, dag, day, tag, 日付, 取引日, お取引日, 交易日期, 日期, 거래일, дата',
  ),
  words('', /\b(?:date|datum\w*|fecha|data|dato|nap|kelte)\b|日$/),
  words(
    '',
    /valuta|wertstellung|value da|date (?:de )?valeur|fecha (?:de )?valor|data (?:di |do |de )?(?:valuta|valor)|rentedat|rentedag|rantedag|ertek ?nap|data waluty/,
  ),
];
const VALUE_DAY = DATES.length - 1;

/** What is of somebody else, of another currency or of no use. */
const UNUSED: Words[] = [
  words(
    `bic, blz, swift, bank code, sort code, card no, card number, card member, kartennummer, code, kundenreferenz,
    customer reference, mandatsreferenz, glaubiger id, glaubigerid, creditor id, sammlerreferenz, end to end id, check,
    check no, check number, cheque, cheque no, cheque number, kontonummer iban, start balance, opening balance, bank,
    bankname, bank name`,
    /original|foreign|ursprung|fremdw|exchange|wechselkurs|\b(?:rate|kurs|tax|vat|mwst)\b|^(?:categor|kategor|gegen|tegen)/,
  ),
];
const OTHER_SIDE =
  /counter|gegen|tegen|beneficiar|empfang|begunst|zahlungs|partner|recipient|sender|merchant|payee|kontrahent|other/;
const OF_OTHER_SIDE = /account|konto|iban|bic|rekening|bank|\bid\b|code|category|city|country/;

/** Of each column, what names it best first. */
const COLUMNS: [FileColumn, Words[]][] = [
  [
    'balance',
    [
      words(
        `balance, running balance, account balance, new balance, current balance, ledger balance, closing balance,
        saldo, solde, kontostand, 残高, 差引残高, 余额, 잔액`,
        /^balance after/,
      ),
      words('', /\b(?:balance|saldo|solde)\b|kontostand|egyenleg|zustatek|bakiye|残高/),
    ],
  ],
  [
    'fee',
    [
      words(
        `fee, fees, fee amount, transaction fee, card fee, gebuhr, gebuhren, frais, commission, comision, commissione, entgelt,
        entgelte, provision, oplata, prowizja, 手数料`,
      ),
    ],
  ],
  [
    'currency',
    [
      words(
        `currency, currency code, account currency, transaction currency, ccy, curr, wahrung, waehrung, wahrungscode, devise, devizanem,
        moneda, divisa, divise, valiuta, valuuta, munt, muntsoort, mena, moeda, waluta, valuutta, 通貨, 币种, 통화, валюта`,
      ),
      // In German, it is the value day; the cells tell.
      words('valuta'),
    ],
  ],
  [
    'direction',
    [
      words(
        `debit credit, credit debit, debit or credit, debit ou credit, dr cr, cr dr, d c, c d, dc, s h, soll haben, haben soll,
        af bij, bij af, debet credit, d k, direction, richtung, vorzeichen, sens, sign`,
        /(?:debit|credit|dc|cd|dbt|haben) ?(?:indicator|mark|code|flag|ind|kennzeichen)$/,
      ),
    ],
  ],
  [
    'debit',
    [
      words(
        `debit, debits, debit amount, debet, soll, belastung, belastungen, withdrawal, withdrawals, withdrawal amount,
        withdrawal amt, withdrawn, paid out, money out, out, amount out, outflow, spent, ausgabe, ausgaben, ausgang,
        auszahlung, auszahlungen, cargo, cargos, debe, debito, debitos, dare, addebiti, addebito, uscite, sortie, sorties,
        depense, depenses, uttag, ut, ud, af, terheles, obciazenia, wydatki, vydaje, 出金, 出金額, お支払金額, お引出し, 支出,
        расход, дебет`,
        /^(?:debit|withdrawal|paid out|money out|soll|belastung|cargo|uscite|dare|obciazenia)\b/,
      ),
      words('', /^(?:amount|betrag|montant|importe) (?:debit|soll|cargo|withdrawn)$/),
    ],
  ],
  [
    'credit',
    [
      words(
        `credit, credits, credit amount, haben, gutschrift, gutschriften, deposit, deposits, deposit amount, deposit amt,
        deposited, paid in, money in, in, amount in, inflow, received, einnahme, einnahmen, eingang, einzahlung, einzahlungen,
        abono, abonos, haber, credito, creditos, avere, accrediti, accredito, entrate, entree, entrees, recette, recettes,
        insattning, ind, bij, jovairas, uznania, wplywy, prijmy, 入金, 入金額, お預り金額, お預入れ, 收入, приход, кредит`,
        /^(?:credit|deposit|paid in|money in|haben|gutschrift|abono|entrate|avere|uznania)\b/,
      ),
      words('', /^(?:amount|betrag|montant|importe) (?:credit|haben|abono|deposited)$/),
    ],
  ],
  [
    'amount',
    [
      words(
        `amount, transaction amount, booked amount, billing amount, net amount, amount net, betrag, buchungsbetrag,
        transaktionsbetrag, montant, importe, importo, bedrag, transactiebedrag, belop, belopp, belob, summa, suma, kwota,
        kwota operacji, kwota transakcji, castka, objem, osszeg, tutar, umsatz, rahamaara, maara, iznos, montante, 金額, 金额,
        交易金额, 取引金額, 금액, сумма`,
      ),
      words('', /\b(?:amount|betrag|montant|importe|importo|bedrag|belopp?|kwota|castka|osszeg|tutar|umsatz)\b/),
      words('valor, value, wert, worth, total, summe'),
    ],
  ],
  [
    'status',
    [
      words('status, state, estado, stato, etat, statut, stav, tila, buchungsstatus, umsatzstatus, transaction status'),
      words('info, booking status'),
    ],
  ],
  [
    'account',
    [
      words(
        `auftragskonto, own account, own iban, eigene iban, from account, account number, account no, account nr, account id,
        account iban, iban account, kontonummer, konto nr, kontonr, rekening, rekeningnummer, numero de compte, numero conto,
        nr rachunku, cislo uctu, account, 口座番号`,
      ),
      words(
        `konto, cuenta, compte, conto, rachunek, iban, iban bban, konto iban, account name, kontoname, bank account, счет`,
      ),
    ],
  ],
  [
    'payee',
    [
      words(
        'name, recipient, sender, payer, zahler, vendor, shop, tiers, ordenante, ordinante, nadawca, odbiorca, 支払先, 店名',
        /payee|merchant|\bnaam\b|empfae?nger|auftraggeber|beguenstigte|begunstigte|zahlungspflichtige|counter ?party|tegenpartij|^partner|beneficiar|kontrahent|mottagare|mottaker|modtager|protistran|gavejas|sanem|saaja/,
      ),
    ],
  ],
  [
    'id',
    [
      words(
        'id, uuid, fitid, volgnr, archivreferenz, referenznummer',
        /^(?:transaction|txn|trans|transaktions?|fit|entry|posting|buchungs|operation|unique|bank) ?(?:id|identifier|reference|reference number|referenz|referentie|ref|number|nummer)$/,
      ),
      words('reference, referenz, referentie, ref, ref no, reference no, reference number'),
    ],
  ],
  [
    'text',
    [
      words(
        'text, tekst, label, note, notes, remark, remarks, 摘要, 内容, 备注, お取引内容, 적요, описание, назначение',
        /verwendungszweck|description|^memo|details?$|narrati|omschrijving|mededeling|^concepto?|descripcion|descricao|descrizione|causale|particulars|remittance|leiras|kozlemeny|popis|^opis|tytul|beskriv|libelle|communication|intitule|zahlungsgrund|message|viesti|selite|aciklama|bezeichnung|historico|zprava|meddelande|melding|forklaring|paskirtis|selgitus|maksajuma merk/,
      ),
      words('buchungstext, transaction, operation, nature, vorgang, reference, referenz, ref'),
      words(
        'type, typ, transaction type, txn type, umsatzart, umsatztyp, buchungsart, mutatiesoort, soort, art, zahlungsart',
      ),
    ],
  ],
];

/** What a column of the name may hold. */
export interface KnownWord {
  /** `null`: the name is known, and nothing in the column is needed. */
  column: FileColumn | null;
  /** The lowest of a column is taken. */
  rank: number;
}

/** Empty: the name is not known. */
export function wordsOf(name: string): KnownWord[] {
  if (name === '') return [];
  const isOfOther = OTHER_SIDE.test(name) && OF_OTHER_SIDE.test(name);
  if (isOfOther || UNUSED.some((unused) => isOne(unused, name))) return [{ column: null, rank: 0 }];
  const known: KnownWord[] = [];
  for (const [column, ranks] of COLUMNS) {
    const rank = ranks.findIndex((rank) => isOne(rank, name));
    if (rank !== -1) known.push({ column, rank });
  }
  const rank = isOne(DATES[VALUE_DAY]!, name) ? VALUE_DAY : DATES.findIndex((rank) => isOne(rank, name));
  // "Balance date" and "data valor" have a part of a date's name; all but the value day are of the other column first.
  const isOther = known.some(({ column }) => column !== 'currency' && column !== 'amount');
  if (rank !== -1 && (!isOther || rank < 2)) known.unshift({ column: 'date', rank });
  return known;
}
