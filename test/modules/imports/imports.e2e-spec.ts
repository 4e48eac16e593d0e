import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiKeysService } from '../../../src/auth/api-keys.service.js';
import { afterThisTest } from '../../support/after-this-test.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { TestClient } from '../../support/app.js';
import { type Person, startTidemark, type TestAnswer, type Tidemark } from '../../../src/kit/testing.js';

const PATH = '/api/v1/imports';
/** What a derivation rewrites even where the history is the same. */
const MOMENTS = new Set(['created_at', 'updated_at']);

const csv = (name: string, ...rows: string[]) => new File([['Date,Amount,Text', ...rows].join('\n')], name);
/** Of the year before the bank's list begins, which the clock of the tests is in 2026. */
const YEAR = csv('2023.csv', '2023-02-01,1000.00,Salary', '2023-05-10,-40.00,Shoes', '2023-11-30,-60.00,Rent');

const OFX = (closing: string) => `OFXHEADER:100
DATA:OFXSGML
VERSION:102

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD
<BANKACCTFROM><BANKID>1<ACCTID>777<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20231001<DTEND>20231031
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20231005<TRNAMT>-12.50<FITID>a1<NAME>Book</STMTTRN>
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20231031<TRNAMT>-1.50<FITID>a2<NAME>Fee</STMTTRN>
</BANKTRANLIST><LEDGERBAL><BALAMT>${closing}<DTASOF>20231031</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;

const CAMT = (iban: string, amount: string) => `
<Stmt><Id>1</Id><Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>USD</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="USD">500.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2023-06-30</Dt></Dt></Bal>
<Ntry><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2023-06-12</Dt></BookgDt></Ntry>
</Stmt>`;
const TWO_ACCOUNTS = `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
<GrpHdr><MsgId>1</MsgId><CreDtTm>2023-07-01T00:00:00</CreDtTm></GrpHdr>
${CAMT('DE02120300000000202051', '10.00')}${CAMT('DE02500105170137075030', '20.00')}</BkToCstmrStmt></Document>`;

describe('imports', () => {
  let tidemark: Tidemark;
  let database: TestDatabase;
  let person: Person;
  let accountId: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    tidemark = await startTidemark([], { database: database.address });
  });
  afterAll(async () => {
    await tidemark.stop();
    await database.drop();
  });
  beforeEach(async () => {
    const { userId, key, email } = await tidemark.person();
    person = new TestClient(tidemark.url, userId, key, email);
    accountId = (await tidemark.bank(person, [BANK]))[0]!;
  });

  /** It lists 2024 and later. */
  const BANK = {
    name: 'Checking',
    balance: 500_00,
    transactions: [
      { date: '2024-03-04', amount: -25_00, description: 'Shop' },
      { date: '2024-03-18', amount: -30_00, description: 'Shop' },
    ],
  };
  const start = (file: File, more: Record<string, string> = {}) =>
    person.upload(PATH, { account_id: accountId, ...more }, file);
  const accept = (id: string) => person.post(`${PATH}/${id}/accept`);
  const imported = async (file: File): Promise<string> => {
    const { body } = await start(file);
    const { status, body: accepted } = await accept(body.id);
    expect([status, accepted.status]).toEqual([200, 'accepted']);
    return body.id as string;
  };
  const rowsOf = async (id: string, query = '') => (await person.get(`${PATH}/${id}/rows${query}`)).body.rows;
  /** A key that is limited to accounts. */
  const keyFor = async (accountIds: string[]): Promise<Person> => {
    const key = { name: 'some', scopes: ['transactions:read' as const], expiresAt: null, accountIds };
    const { key: secret } = await tidemark.get(ApiKeysService).create(person.userId, key);
    return new TestClient(tidemark.url, person.userId, secret);
  };
  /** All that the lists show of the account. */
  const shown = async () => {
    const answers: TestAnswer[] = [];
    for (const list of ['balances', 'transactions', 'accounts', 'net_worth', 'imports'])
      answers.push(await person.get(`/api/v1/${list}?per_page=100`));
    return JSON.parse(JSON.stringify(answers.map(({ body }) => body as object)), (name, value: unknown) =>
      MOMENTS.has(name) ? undefined : value,
    ) as unknown;
  };
  const listedAmounts = async () =>
    (await person.get('/api/v1/transactions?per_page=100')).body.transactions.map(
      ({ date, amount_cents: cents }: { date: string; amount_cents: number }) => [date, cents],
    );

  it('a file is shown first and stores nothing in the account', async () => {
    const before = await shown();
    const { status, body, headers } = await start(YEAR);
    expect([status, headers.get('location')]).toEqual([201, `${PATH}/${body.id}`]);
    expect(body).toMatchObject({
      file_name: '2023.csv',
      format: 'csv',
      status: 'preview',
      questions: [],
      problems: [],
      header: ['Date', 'Amount', 'Text'],
      columns: { date: 0, amount: 1, text: 2, debit: null },
      accepted_at: null,
    });
    expect(body.accounts).toMatchObject([
      {
        id: null,
        account_id: accountId,
        start_date: '2023-02-01',
        end_date: '2023-11-30',
        rows_found: 3,
        rows_added: 3,
        rows_paired: 0,
        rows_left_out: 0,
      },
    ]);
    expect((await person.get(`${PATH}/${body.id}`)).body).toEqual(body);
    expect((await person.get(PATH)).body.imports).toEqual([body]);
    expect(await rowsOf(body.id)).toMatchObject([
      { line: 2, date: '2023-02-01', amount_cents: 1000_00, standing: 'counted', transaction_id: null },
      { line: 3, amount: '-$40.00', description: 'Shoes' },
      { line: 4 },
    ]);
    expect((await person.delete(`${PATH}/${body.id}`)).status).toBe(204);
    expect((await person.get(`${PATH}/${body.id}`)).status).toBe(404);
    expect(await shown()).toEqual(before);
  });

  it('an accepted file has its transactions and days in the account, and undoing it gives the history without it', async () => {
    const before = await shown();
    const { body } = await start(YEAR);
    const accepted = await accept(body.id);
    expect(accepted.body.accounts).toMatchObject([
      { id: body.id, rows_found: 3, rows_added: 3, rows_doubtful: null, start_date: '2023-02-01' },
    ]);
    expect(await listedAmounts()).toEqual([
      ['2024-03-18', -30_00],
      ['2024-03-04', -25_00],
      ['2023-11-30', -60_00],
      ['2023-05-10', -40_00],
      ['2023-02-01', 1000_00],
    ]);
    const day = await person.get('/api/v1/balances?start_date=2023-05-09&end_date=2023-05-10');
    expect(day.body.balances).toHaveLength(2);
    // Accepting it once more changes nothing.
    expect((await accept(body.id)).body).toEqual(accepted.body);
    const kinds = (await person.get('/api/v1/audit_events')).body.audit_events.map(
      ({ kind }: { kind: string }) => kind,
    );
    expect(kinds[0]).toBe('import_accepted');
    expect((await person.delete(`${PATH}/${body.id}`)).status).toBe(204);
    expect(await shown()).toEqual(before);
  });

  it('what was said of a header is used for a question only: a file that decides its dates is read by them', async () => {
    const open = csv('open.csv', '03/04/2022,-1.00,Shop');
    const { body } = await start(open, { date_order: 'dmy' });
    await accept(body.id);
    const again = await start(csv('again.csv', '05/04/2022,-1.00,Shop'));
    expect([again.body.questions, again.body.accounts[0].start_date]).toEqual([[], '2022-04-05']);
    const decided = await start(csv('decided.csv', '03/04/2022,-1.00,Shop', '05/26/2022,-2.00,Shop'));
    expect([decided.body.problems, decided.body.accounts[0].start_date]).toEqual([[], '2022-03-04']);
  });

  it('revisions and the change feed tell of an import and of its undoing', async () => {
    await imported(YEAR);
    const onDay = async () =>
      (await person.get(`/api/v1/balances?account_id=${accountId}&start_date=2023-02-10&end_date=2023-02-10`)).body
        .balances[0];
    const before = await onDay();
    const { cursor } = (await person.get('/api/v1/changes?cursor=latest&types=balances')).body;
    const id = await imported(csv('more.csv', '2023-02-05,-1.00,Tea', '2023-02-20,-2.00,Cake'));
    const told = (await person.get(`/api/v1/changes?cursor=${cursor}&types=balances`)).body;
    expect(told.changes.length).toBeGreaterThan(0);
    await person.delete(`${PATH}/${id}`);
    const again = (await person.get(`/api/v1/changes?cursor=${told.cursor}&types=balances`)).body;
    expect(again.changes.length).toBeGreaterThan(0);
    expect({ ...(await onDay()), updated_at: '' }).toEqual({ ...before, updated_at: '' });
    const { revisions } = (await person.get(`/api/v1/balances/${before.id}/revisions`)).body;
    expect(revisions.slice(0, 2).map(({ reasons }: { reasons: string[] }) => reasons)).toEqual([
      ['imported'],
      ['imported'],
    ]);
  });

  it('a file of balances alone states what a card owes as people write it', async () => {
    const card = { account_type: 'credit_card', name: 'Card', currency: 'USD' };
    const { body: account } = await person.post('/api/v1/accounts', card);
    const file = new File(['date,balance\n2023-06-30,559.64\n'], 'card.csv');
    const { body } = await person.upload(PATH, { account_id: account.id }, file);
    await accept(body.id);
    const { statements } = (await person.get(`/api/v1/accounts/${account.id}/statements`)).body;
    expect(statements).toMatchObject([{ date: '2023-06-30', balance_cents: 559_64 }]);
  });

  it('a balance with a minus is what a card owes, and a loan by hand takes none in credit', async () => {
    const debt = async (account_type: string) =>
      (await person.post('/api/v1/accounts', { account_type, name: 'Debt', currency: 'USD' })).body.id as string;
    const send = (id: string, ...lines: string[]) =>
      person.upload(PATH, { account_id: id }, new File([lines.join('\n')], 'debt.csv'));
    const head = 'Date,Amount,Text,Balance';
    for (const lines of [
      ['date,balance', '2023-06-30,-120.00'],
      [head, '2023-06-29,-20.00,Shop,-100.00', '2023-06-30,-20.00,Shop,-120.00'],
    ]) {
      for (const type of ['credit_card', 'loan']) {
        const id = await debt(type);
        await accept((await send(id, ...lines)).body.id);
        expect((await person.get(`/api/v1/accounts/${id}`)).body).toMatchObject({ balance_cents: 120_00 });
      }
    }
    const credit = [head, '2023-06-29,5.00,Refund,5.00', '2023-06-30,-2.00,Shop,3.00'];
    expect((await send(await debt('credit_card'), ...credit)).status).toBe(201);
    const { status, body } = await send(await debt('loan'), ...credit);
    expect([status, body.errors]).toEqual([
      422,
      ['file must not have Debt in credit: beside transactions, a balance that is owed has a minus'],
    ]);
  });

  it('the list of accounts says up to which day a file leads an account by hand', async () => {
    const cash = { account_type: 'depository', name: 'Cash', currency: 'USD' };
    const { body: account } = await person.post('/api/v1/accounts', { ...cash, value: '50.00', date: '2023-01-01' });
    const read = async () => (await person.get(`/api/v1/accounts/${account.id}`)).body.balance_date;
    expect(await read()).toBe('2023-01-01');
    const { body } = await person.upload(PATH, { account_id: account.id }, YEAR);
    await accept(body.id);
    expect(await read()).toBe('2023-11-30');
    expect((await (await tidemark.browser(person)).get('/')).text).toMatch(/Cash By hand · as of 30 Nov 2023/);
  });

  it('the same file a second time adds nothing, and each of the two can be undone', async () => {
    const first = await imported(YEAR);
    const [before, amounts] = [await shown(), await listedAmounts()];
    const { body } = await start(YEAR);
    expect(body.accounts).toMatchObject([{ rows_found: 3, rows_added: 0, rows_replacing: 3 }]);
    const accepted = await accept(body.id);
    expect([accepted.status, accepted.body.accounts]).toMatchObject([200, [{ rows_added: 0, rows_replacing: 3 }]]);
    expect(await listedAmounts()).toEqual(amounts);
    await person.delete(`${PATH}/${body.id}`);
    expect(await shown()).toEqual(before);
    const again = await imported(YEAR);
    await person.delete(`${PATH}/${first}`);
    expect(await listedAmounts()).toEqual(amounts);
    await person.delete(`${PATH}/${again}`);
    expect(await listedAmounts()).toHaveLength(2);
  });

  it('the same file with balances a second time shows each of them once, and undoing it says that nothing goes', async () => {
    const cash = { account_type: 'depository', name: 'Cash', currency: 'USD' };
    const { body: account } = await person.post('/api/v1/accounts', cash);
    const rows = ['2023-02-01,-10.00,A,90.00', '2023-02-03,-20.00,B,75.00', '2023-02-04,-5.00,C,70.00'];
    const file = new File([['Date,Amount,Text,Balance', ...rows].join('\n')], 'twice.csv');
    const importCash = async () => {
      const { body } = await person.upload(PATH, { account_id: account.id }, file);
      await accept(body.id);
      return body.id as string;
    };
    const browser = await tidemark.browser(person);
    const first = await importCash();
    const page = `/accounts/${account.id}/statements`;
    const { text } = await browser.get(page);
    expect(text).toMatch(/3 Feb 2023 \$75\.00 From a file Differs/);
    expect((await browser.get(`/imports/${first}`)).text).toContain('3 transactions and 3 balances go.');
    const findings = async () => (await person.get(`/api/v1/accounts/${account.id}/reconciliation`)).body.findings;
    const before = await findings();

    const second = await importCash();
    expect((await browser.get(page)).text).toBe(text);
    expect(await findings()).toEqual(before);
    for (const id of [first, second])
      expect((await browser.get(`/imports/${id}`)).text).toContain('Nothing that counts goes.');
    await person.post(`/api/v1/accounts/${account.id}/statements`, { date: '2023-02-03', balance: '70.00' });
    expect((await browser.get(page)).text).toMatch(/4 Feb 2023 \$70\.00 .* 3 Feb 2023 \$70\.00 .* 1 Feb 2023 \$90\.00/);
    expect((await browser.get(page)).text).not.toContain('$75.00 From a file');
  });

  it('undoing a file whose transactions another one has, too, says that only the correction of one goes', async () => {
    const first = await imported(YEAR);
    const [{ transaction_id: id }] = await rowsOf(first);
    await person.patch(`/api/v1/transactions/${id}`, { note: 'Mine' });
    await imported(YEAR);
    const { text } = await (await tidemark.browser(person)).get(`/imports/${first}`);
    expect(text).toContain('Nothing that counts goes but a correction of yours.');
    await person.delete(`${PATH}/${first}`);
    const { transactions } = (await person.get('/api/v1/transactions?per_page=100')).body;
    expect(transactions.map(({ note }: { note: string | null }) => note)).not.toContain('Mine');
    expect(transactions).toHaveLength(5);
  });

  it('what the bank lists, too, counts once, and what it does not list on its days is left out', async () => {
    const file = csv('overlap.csv', '2023-12-20,-5.00,Coffee', '2024-03-05,-25.00,Shop', '2024-03-10,-7.00,Kiosk');
    const before = await person.get('/api/v1/transactions');
    const { body } = await start(file);
    expect(body.accounts).toMatchObject([{ rows_added: 1, rows_paired: 1, rows_left_out: 1, rows_doubtful: 0 }]);
    await accept(body.id);
    expect(await rowsOf(body.id, '?standing=left_out')).toMatchObject([
      { date: '2024-03-10', amount_cents: -7_00, transaction_id: expect.any(String) },
    ]);
    const shop = before.body.transactions.find(({ date }: { date: string }) => date === '2024-03-04');
    expect(await rowsOf(body.id, '?standing=paired')).toMatchObject([{ date: '2024-03-05', transaction_id: shop.id }]);
    const counted = await rowsOf(body.id, '?standing=counted');
    expect((await person.get('/api/v1/transactions')).body.transactions[2].id).toBe(counted[0].transaction_id);
    expect(await listedAmounts()).toHaveLength(3);
  });

  it('of two files the later one owns the days of both, and undoing it gives them back', async () => {
    const first = await imported(csv('one.csv', '2023-01-01,-1.00,A', '2023-01-10,-2.00,B', '2023-01-20,-3.00,C'));
    const before = await shown();
    const two = csv('two.csv', '2023-01-05,-4.00,D', '2023-01-10,-2.00,B', '2023-01-30,-5.00,E');
    const { body: preview } = await start(two);
    expect(preview.accounts[0]).toMatchObject({
      rows_added: 2,
      rows_replacing: 1,
      rows_superseded: 1,
      superseded: [{ date: '2023-01-20', amount_cents: -3_00, description: 'C' }],
    });
    const { text } = await (await tidemark.browser(person)).get(`/imports/${preview.id}`);
    expect(text).toContain('2 would be added, and 1 is there already');
    expect(text).toContain('1 transaction of earlier files would count no longer');
    expect(text).toContain('20 Jan 2023 C −$3.00');
    const second = preview.id as string;
    expect((await accept(second)).status).toBe(200);
    const accountOf = async (id: string) => (await person.get(`${PATH}/${id}`)).body.accounts[0];
    expect(await accountOf(second)).toMatchObject({ rows_added: 2, rows_replacing: 1 });
    expect((await (await tidemark.browser(person)).get(`/imports/${second}`)).text).toContain(
      '2 added, and 1 is there already',
    );
    expect(await accountOf(first)).toMatchObject({ rows_added: 1, rows_paired: 1, rows_left_out: 1 });
    expect((await listedAmounts()).slice(2)).toEqual([
      ['2023-01-30', -5_00],
      ['2023-01-10', -2_00],
      ['2023-01-05', -4_00],
      ['2023-01-01', -1_00],
    ]);
    await person.delete(`${PATH}/${second}`);
    expect(await shown()).toEqual(before);
  });

  it('balances of a file are held against the history and make its days known', async () => {
    const { body } = await start(new File([OFX('800.00')], 'october.qfx'));
    expect([body.format, body.accounts[0]]).toMatchObject([
      'ofx',
      { balances_stated: 1, balances_agreeing: 0, balances_differing: 0, rows_added: 2 },
    ]);
    const { text } = await (await tidemark.browser(person)).get(`/imports/${body.id}`);
    expect(text).toContain('1 balance: 1 is of a day of which nothing else is known');
    await accept(body.id);
    const days = await person.get('/api/v1/balances?start_date=2023-10-31&end_date=2023-10-31');
    expect(days.body.balances).toMatchObject([{ balance_cents: 800_00 }]);
    const other = await start(new File([OFX('801.00')], 'again.qfx'));
    expect(other.body.accounts[0]).toMatchObject({
      balances_agreeing: 0,
      balances_differing: 1,
      differences: [{ date: '2023-10-31', stated: '$801.00', known_cents: 800_00 }],
    });
  });

  it('a file that fits agrees in its preview, though the present history lacks its older transactions', async () => {
    const before = await shown();
    const rows = ['2024-02-15,-5.00,Old,565.00', '2024-02-20,-10.00,Book,555.00', '2024-03-04,-25.00,Shop,530.00'];
    const file = new File([['Date,Amount,Text,Balance', ...rows].join('\n')], 'fits.csv');
    const { body } = await start(file);
    expect(body.accounts[0]).toMatchObject({ rows_added: 2, rows_paired: 1, balances_stated: 3 });
    expect(body.accounts[0]).toMatchObject({ balances_agreeing: 3, balances_differing: 0, differences: [] });
    await person.delete(`${PATH}/${body.id}`);
    expect(await shown()).toEqual(before);
  });

  it('balances of a first file are said to agree with its transactions, not with what else is known', async () => {
    const cash = { account_type: 'depository', name: 'Cash', currency: 'USD' };
    const { body: account } = await person.post('/api/v1/accounts', cash);
    const rows = ['2023-02-01,-10.00,A,90.00', '2023-02-03,-20.00,B,75.00', '2023-02-04,-5.00,C,70.00'];
    const file = new File([['Date,Amount,Text,Balance', ...rows].join('\n')], 'first.csv');
    const { body } = await person.upload(PATH, { account_id: account.id }, file);
    expect((await (await tidemark.browser(person)).get(`/imports/${body.id}`)).text).toContain(
      '3 balances: 1 agrees with the transactions and the other balances, ' +
        '1 differs from the transactions and the other balances, 1 is of a day of which nothing else is known',
    );
  });

  it('a file with two accounts asks where they go', async () => {
    const [other] = await tidemark.bank(person, [{ name: 'Savings', balance: 900_00 }]);
    const { body } = await start(new File([TWO_ACCOUNTS], 'two.xml'));
    expect([body.questions, body.file_accounts]).toMatchObject([
      [{ choice: 'accounts' }],
      [{ place: 0, identifier: 'DE02120300000000202051' }, { place: 1 }],
    ]);
    const refused = await accept(body.id);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'Before this file can be accepted: The file has 2 accounts. Which of them goes into which account?',
    ]);
    const accounts = [
      { file_account: 0, account_id: accountId },
      { file_account: 1, account_id: other },
    ];
    const chosen = await person.patch(`${PATH}/${body.id}`, { accounts });
    expect([chosen.body.questions, chosen.body.accounts]).toMatchObject([[], accounts]);
    expect((await accept(body.id)).body.accounts).toMatchObject(accounts);
    expect((await person.get(`/api/v1/transactions?account_id=${other}`)).body.transactions).toMatchObject([
      { date: '2023-06-12', amount_cents: -20_00 },
    ]);
    const into = async (id: string) => (await person.get(`${PATH}?account_id=${id}`)).body.imports;
    expect(await into(other!)).toMatchObject([{ id: body.id }]);
    expect(await into(body.id)).toEqual([]);
    const limited = await keyFor([other!]);
    expect((await limited.get(PATH)).body.imports).toEqual([]);
    expect((await limited.get(`${PATH}/${body.id}`)).status).toBe(403);
    expect((await (await keyFor([accountId, other!])).get(PATH)).body.imports).toHaveLength(1);
    await person.delete(`${PATH}/${body.id}`);
    expect(await listedAmounts()).toHaveLength(2);
  });

  it('a question of the file is answered, and the answer is remembered for files with this header', async () => {
    const open = csv('open.csv', '03/04/2023,-1.00,A', '05/06/2023,-2.00,B');
    const { body } = await start(open);
    // What it would do is not known before the answer.
    expect([body.questions, body.accounts]).toMatchObject([[{ choice: 'date_order' }], []]);
    expect((await accept(body.id)).status).toBe(409);
    const chosen = await person.patch(`${PATH}/${body.id}`, { date_order: 'dmy' });
    expect(chosen.body).toMatchObject({ questions: [], read_as: { date_order: 'dmy' } });
    await accept(body.id);
    expect((await rowsOf(body.id)).map(({ date }: { date: string }) => date)).toEqual(['2023-04-03', '2023-06-05']);
    expect((await person.patch(`${PATH}/${body.id}`, { date_order: 'mdy' })).status).toBe(409);
    const next = await start(csv('next.csv', '07/08/2023,-1.00,A'));
    expect(next.body).toMatchObject({ questions: [], read_as: { date_order: 'dmy' } });
    expect(
      (await start(csv('said.csv', '07/08/2023,-1.00,A'), { date_order: 'mdy' })).body.accounts[0].start_date,
    ).toBe('2023-07-08');
  });

  it('a file that cannot be read, or is in another currency, is refused with a sentence', async () => {
    const refusal = async (file: File) => {
      const { status, body } = await start(file);
      return [status, body.errors];
    };
    expect(await refusal(new File(['%PDF-1.7'], 'a.pdf'))).toEqual([
      422,
      ['file cannot be read. This is a PDF. Export the account as CSV, OFX or CAMT from the bank.'],
    ]);
    expect(await refusal(new File([OFX('1').replace('USD', 'EUR')], 'a.ofx'))).toEqual([
      422,
      ['Checking is in USD, and the file is in EUR.'],
    ]);
    expect((await person.get(PATH)).body.imports).toEqual([]);
  });

  it('a form without a file, without an account or with too large a file is refused', async () => {
    const form = new FormData();
    form.append('account_id', accountId);
    const send = (body: BodyInit, headers: Record<string, string> = {}) =>
      fetch(tidemark.url + PATH, { method: 'POST', body, headers: { 'X-Api-Key': person.key, ...headers } });
    const answer = async (sent: Promise<Response>) => {
      const { status, json } = await sent.then(async (response) => ({
        status: response.status,
        json: await response.json(),
      }));
      return [status, (json as { errors: unknown[]; message: string }).errors ?? json];
    };
    expect(await answer(send(form))).toEqual([422, ['file must be sent']]);
    expect((await person.upload(PATH, {}, YEAR)).body.errors).toEqual(['account_id must be a valid UUID']);
    expect((await start(YEAR, { colour: 'red' })).body.errors).toEqual(['colour is not a member of this body']);
    expect((await start(YEAR, { date_order: 'dym' })).body.errors).toEqual([
      'date_order must be one of: dmy, mdy, ymd',
    ]);
    form.append('other', YEAR);
    expect((await answer(send(form)))[0]).toBe(422);
    expect((await start(new File([new Uint8Array(25 * 1024 * 1024 + 1)], 'large.csv'))).status).toBe(413);
    expect((await send('{}', { 'Content-Type': 'application/json' })).status).toBe(415);
    const cut = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nDate';
    expect((await send(cut, { 'Content-Type': 'multipart/form-data; boundary=x' })).status).toBe(400);
    expect((await send(cut, { 'Content-Type': 'multipart/form-data' })).status).toBe(400);
    const unknown = await fetch(tidemark.url + PATH, { method: 'POST', body: form });
    expect(unknown.status).toBe(401);
  });

  it('imports of another person do not exist, and each route asks for its scope', async () => {
    const { body } = await start(YEAR);
    const stranger = await tidemark.person();
    for (const [method, path] of [
      ['get', ''],
      ['get', '/rows'],
      ['post', '/accept'],
      ['delete', ''],
    ] as const)
      expect((await stranger[method](`${PATH}/${body.id}${path}`)).status).toBe(404);
    expect((await stranger.patch(`${PATH}/${body.id}`, {})).status).toBe(404);
    expect((await stranger.upload(PATH, { account_id: accountId }, YEAR)).status).toBe(404);
    expect((await stranger.get(PATH)).body.imports).toEqual([]);
    const chosen = await person.patch(`${PATH}/${body.id}`, {
      accounts: [{ file_account: 0, account_id: (await tidemark.bank(stranger, [BANK]))[0] }],
    });
    expect(chosen.status).toBe(404);
    const readsOnly = await tidemark.person({ scopes: ['transactions:read'] });
    const writesOnly = await tidemark.person({ scopes: ['imports:write'] });
    expect((await readsOnly.get(PATH)).status).toBe(200);
    expect((await readsOnly.upload(PATH, { account_id: accountId }, YEAR)).status).toBe(403);
    expect((await writesOnly.get(PATH)).status).toBe(403);
    expect((await writesOnly.delete(`${PATH}/${body.id}`)).status).toBe(404);
  });

  it('ten files wait at most, and a preview goes after a day', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => start(YEAR)));
    for (let sent = 0; sent < 9; sent++) answers.push(await start(YEAR));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(answers.at(-1)!.body.message).toBe(
      '10 files wait to be accepted under Imports, for a day each. Accept or remove one first.',
    );
    await tidemark.run('old-previews');
    expect((await person.get(PATH)).body.pagination.total_count).toBe(10);
    tidemark.clock.set('2026-03-16T12:00:01Z');
    await tidemark.run('old-previews');
    tidemark.clock.set('2026-03-15T12:00:00Z');
    expect((await person.get(PATH)).body.pagination.total_count).toBe(0);
  });

  it('a file that is sent twice under one Idempotency-Key is one import', async () => {
    const send = async (file: File) => {
      const form = new FormData();
      form.append('account_id', accountId);
      form.append('file', file);
      const headers = { 'X-Api-Key': person.key, 'Idempotency-Key': 'one' };
      const response = await fetch(tidemark.url + PATH, { method: 'POST', body: form, headers });
      return { status: response.status, id: ((await response.json()) as { id?: string }).id };
    };
    const first = await send(YEAR);
    expect(await send(YEAR)).toEqual(first);
    expect((await send(csv('2023.csv', '2023-01-01,-1.00,Other'))).status).toBe(422);
  });

  it('imports are in the change feed and the export, follow their account in a merge and go with it', async () => {
    const id = await imported(YEAR);
    const latest = (await person.get('/api/v1/changes?cursor=latest&types=imports')).body.cursor;
    const changes = async () => (await person.get(`/api/v1/changes?cursor=${latest}&types=imports`)).body.changes;
    const exported = await tidemark.exported(person);
    expect(exported.filter(({ type }) => type.startsWith('import')).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['import', 'import_account', 'imported_list']),
    );
    expect(await tidemark.tool(person, 'list_imports')).toMatchObject({ imports: [{ id }] });
    const [other] = await tidemark.bank(person, [{ name: 'New checking', balance: 500_00 }]);
    await tidemark.merge(person, accountId, other!);
    expect((await person.get(`${PATH}/${id}`)).body.accounts).toMatchObject([{ account_id: other, rows_found: 3 }]);
    expect(await changes()).toMatchObject([{ ids: [id], records: [{ id }] }]);
    await person.delete(`/api/v1/accounts/${other}`);
    expect((await person.get(`${PATH}/${id}`)).body.accounts).toEqual([]);
    expect((await person.delete(`${PATH}/${id}`)).status).toBe(204);
  });

  it('a command says what a file would do and imports it with --yes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tidemark-import-'));
    afterThisTest(() => rm(folder, { recursive: true }));
    const path = join(folder, 'open.csv');
    await writeFile(path, 'Date,Amount,Text\n03/04/2023,-1.00,A\n05/06/2023,-2.00,B');
    const run = (values: Record<string, string>) =>
      tidemark.command('import', { FILE: path, account: accountId, ...values });
    await expect(run({ yes: 'yes' })).rejects.toThrow(/Say it with an option, or import the file on its page/);
    await expect(run({ 'date-order': 'dym' })).rejects.toThrow('--date-order must be one of: dmy, mdy, ymd.');
    await expect(run({ yes: 'yes', email: 'nobody@example.com' })).rejects.toThrow('There is no account');
    await expect(run({ FILE: `${path}x`, yes: 'yes' })).rejects.toThrow('cannot be read');
    expect(await run({ yes: 'yes', email: person.email, 'date-order': 'dmy' })).toMatchObject({
      status: 'accepted',
      accounts: [{ account_id: accountId, rows_added: 2, start_date: '2023-04-03' }],
    });
    expect((await person.get(PATH)).body.imports).toHaveLength(1);
  });

  it('a person imports a file on the page, sees what it would do and undoes it', async () => {
    const browser = await tidemark.browser(person);
    expect((await browser.get(`/accounts/${accountId}`)).html).toContain(`href="/imports?account_id=${accountId}"`);
    const nothing = await browser.upload('/imports', { account_id: accountId }, new File([], ''));
    expect([nothing.status, nothing.text]).toEqual([422, expect.stringContaining('Choose a file.')]);
    const empty = await browser.upload('/imports', { account_id: accountId }, new File([], 'empty.csv'));
    expect([empty.status, empty.text]).toEqual([422, expect.stringContaining('The file is empty.')]);
    const pdf = await browser.upload('/imports', { account_id: accountId }, new File(['%PDF-1.7'], 'a.pdf'));
    expect([pdf.status, pdf.text]).toEqual([422, expect.stringContaining('This is a PDF.')]);
    const sent = await browser.upload('/imports', { account_id: accountId }, YEAR);
    expect(sent.status).toBe(303);
    const shown = await browser.follow(sent);
    expect(shown.text).toContain('3 transactions in the file, 1 Feb 2023 to 30 Nov 2023');
    expect(shown.text).toContain('3 would be added');
    const [path] = /\/imports\/[\da-f-]{36}/.exec(shown.html)!;
    const accepted = await browser.follow(await browser.submit(`${path}/accept`, {}, path));
    expect(accepted.text).toContain('The file was imported.');
    expect((await browser.get('/imports')).text).toContain('2023.csv Checking');
    const again = await browser.follow(await browser.upload('/imports', { account_id: accountId }, YEAR));
    expect(again.text).toContain('0 would be added, and 3 are there already');
    const [second] = /\/imports\/[\da-f-]{36}/.exec(again.html)!;
    await browser.follow(await browser.submit(`${second}/remove`, {}, second));
    const [{ transaction_id: first }] = (await rowsOf(path.slice('/imports/'.length))) as [{ transaction_id: string }];
    await person.patch(`/api/v1/transactions/${first}`, { note: 'Mine' });
    expect((await browser.get(path)).text).toContain('3 transactions go, and with them a correction of yours.');
    expect((await browser.get('/imports')).html).not.toContain(`${path}/remove`);
    const undone = await browser.follow(await browser.submit(`${path}/remove`, {}, path));
    expect(undone.text).toContain('The import was removed.');
    expect(await listedAmounts()).toHaveLength(2);
    expect((await browser.get(path)).status).toBe(404);
  });

  it('a file without balances in an account by hand says where to state one, and what is wrong in the file before the import', async () => {
    const browser = await tidemark.browser(person);
    const cash = { account_type: 'depository', name: 'Cash', currency: 'USD' };
    const { body: account } = await person.post('/api/v1/accounts', cash);
    const file = csv('cash.csv', '2023-02-01,-1.00,A', 'sometime,-2.00,B', '2023-02-03,-3.00,C');
    const shown = await browser.follow(await browser.upload('/imports', { account_id: account.id }, file));
    const [path] = /\/imports\/[\da-f-]{36}/.exec(shown.html)!;
    expect(shown.html.indexOf('Problems in the file')).toBeGreaterThan(0);
    expect(shown.html.indexOf('Problems in the file')).toBeLessThan(shown.html.indexOf(`${path}/accept`));
    const accepted = await browser.follow(await browser.submit(`${path}/accept`, {}, path));
    expect(accepted.html).toContain(`/accounts/${account.id}#statements">Say what it was worth on any day`);
  });

  it('a person answers on the page how a file is read, and sees what is not at the bank', async () => {
    const browser = await tidemark.browser(person);
    const open = csv('open.csv', '03/04/2024,-7.00,Kiosk', '05/06/2024,-2.00,B');
    const shown = await browser.follow(await browser.upload('/imports', { account_id: accountId }, open));
    const [path] = /\/imports\/[\da-f-]{36}/.exec(shown.html)!;
    expect(shown.text).toContain(
      '"03/04/2024" is 3 April 2024 with the day first, or 4 March 2024 with the month first. Which is it?',
    );
    expect(shown.html).not.toContain(`${path}/accept`);
    const columns = { column_date: '0', column_amount: '1', column_text: '2' };
    const read = await browser.follow(await browser.submit(path, { date_order: 'dmy', sign: 'flip', ...columns }));
    expect(read.text).toContain('2 do not count: the bank or a later file lists their days without them');
    expect(read.text).toContain('$7.00');
    const leftOut = await browser.get(`${path}/left-out`);
    expect(leftOut.text).toContain('Kiosk 3 Apr 2024 · line 2 $7.00');
    const wrong = await browser.submit(path, { ...columns, column_date: '2' });
    expect(wrong.status).toBeLessThan(500);
    await browser.submit(path, { date_order: 'dmy', sign: 'flip', ...columns });
    await browser.submit(`${path}/accept`, {}, path);
    const { html } = await browser.get(`${path}/left-out`);
    const [count] = /\/transactions\/[\da-f-]{36}\/count/.exec(html)!;
    await browser.submit(count, {}, `${path}/left-out`);
    expect((await browser.get(`${path}/left-out`)).html.match(/Count it/g)).toHaveLength(1);
  });
});
