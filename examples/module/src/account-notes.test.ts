import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTidemark, type Tidemark } from 'tidemark/testing';
import { accountNotes } from './account-notes.js';

let tidemark: Tidemark;
before(async () => {
  tidemark = await startTidemark([accountNotes]);
});
after(() => tidemark?.stop());

test('a note is kept with its account, and is in the export', async () => {
  const person = await tidemark.person();
  const [id] = await tidemark.bank(person, [{ name: 'Savings', balance: 1_250_00 }]);
  const path = `/api/v1/accounts/${id}/note`;
  assert.equal((await person.get(path)).body.text, '');
  assert.equal((await person.put(path, { text: 'For the roof.' })).status, 200);
  assert.equal((await person.get(path)).body.text, 'For the roof.');
  const exported = await tidemark.exported(person);
  assert.deepEqual(
    exported.filter(({ type }) => type === 'account_note').map(({ text }) => text),
    ['For the roof.'],
  );
});

test('the account of another person has no note', async () => {
  const [ann, ben] = [await tidemark.person(), await tidemark.person()];
  const [id] = await tidemark.bank(ann, [{ name: 'Savings', balance: 1_250_00 }]);
  assert.equal((await ben.put(`/api/v1/accounts/${id}/note`, { text: 'Mine' })).status, 404);
});
