import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { createInterface } from 'node:readline/promises';
import {
  Account,
  type Command,
  EntityManager,
  isUuid,
  reader,
  RefusedError,
  type SentFile,
  UsageError,
  UsersRepository,
  type Values,
} from '../../kit.js';
import { effectsOf, rowsText, supersededText } from './import-text.js';
import { DATE_ORDERS, DECIMAL_SIGNS, SIGNS } from './import.request.js';
import { toImport } from './import.response.js';
import { ImportsService } from './imports.service.js';
import type { ImportRow } from './list-imports.service.js';
import type { ImportCaller } from './read-file.service.js';

/** Reads a file, says what it would do, asks, and imports it. */
export const importCommand: Command = {
  summary: 'Imports a file of a bank into an account, once you have seen what it would do.',
  operand: 'FILE',
  options: {
    account: { value: 'ID', required: true },
    email: { value: 'E', required: false },
    'date-order': { value: DATE_ORDERS.join('|'), required: false },
    decimal: { value: DECIMAL_SIGNS.join('|'), required: false },
    sign: { value: SIGNS.join('|'), required: false },
    yes: { required: false },
  },
  check: (values) => {
    if (!isUuid(values.account ?? '')) throw new UsageError('--account must be the id of an account.');
    choicesOf(values);
  },
  run: async (values, { inApplication, lifecycle }) => {
    const file = await readSent(values.FILE ?? '');
    return inApplication(async (app) => {
      const imports = app.get(ImportsService, { strict: false });
      const caller = await ownerOf(values, app.get(EntityManager), app.get(UsersRepository, { strict: false }));
      const found = await imports.start(caller, file, { account_id: values.account!, ...choicesOf(values) });
      try {
        const [question] = found.preview!.questions;
        if (question)
          throw new RefusedError(`${question.message} Say it with an option, or import the file on its page.`);
        if (!values.yes) await ask(describe(found), lifecycle.stopping);
      } catch (error) {
        await imports.remove(caller, found.id);
        throw error;
      }
      return toImport(await imports.accept(caller, found.id));
    });
  },
};

function choicesOf(values: Values) {
  const oneOf = <Value extends string>(option: string, allowed: readonly Value[]) => {
    const given = values[option];
    const found = allowed.find((value) => value === given);
    if (given !== undefined && !found) throw new UsageError(`--${option} must be one of: ${allowed.join(', ')}.`);
    return found;
  };
  const date_order = oneOf('date-order', DATE_ORDERS);
  const decimal = oneOf('decimal', DECIMAL_SIGNS);
  const sign = oneOf('sign', SIGNS);
  return { ...(date_order && { date_order }), ...(decimal && { decimal }), ...(sign && { sign }) };
}

async function readSent(path: string): Promise<SentFile> {
  try {
    return { name: basename(path), bytes: await readFile(path) };
  } catch (error) {
    throw new RefusedError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** @throws RefusedError where nobody, or another person, has the account */
async function ownerOf(
  { account: id = '', email }: Values,
  em: EntityManager,
  users: UsersRepository,
): Promise<ImportCaller> {
  const account = await reader(em).findOne(Account, { id });
  const user = account && (await users.findById(account.userId));
  if (!user || (email !== undefined && (await users.findByEmail(email))?.id !== user.id))
    throw new RefusedError(`There is no account ${id}${email === undefined ? '' : ` of ${email}`}.`);
  return { userId: user.id, timeZone: user.timeZone };
}

function describe({ name, accounts, preview }: ImportRow): string {
  const lines = accounts.flatMap((part) => [
    `${name}: ${rowsText(part.counts.found)}${part.first_date ? `, ${part.first_date} to ${part.last_date}` : ''}`,
    ...effectsOf(part).map(({ text }) => `  ${text}`),
    ...(part.counts.superseded ? [`  ${supersededText(part.counts.superseded)}`] : []),
  ]);
  const problems = preview!.problems.map(({ line, message }) => `  ${line === null ? '' : `line ${line}: `}${message}`);
  return [...lines, ...(problems.length > 0 ? ['Problems in the file:', ...problems] : [])].join('\n');
}

/** @throws RefusedError for anything but yes */
async function ask(text: string, signal: AbortSignal): Promise<void> {
  process.stderr.write(`${text}\n`);
  if (!process.stdin.isTTY) throw new RefusedError('Nothing was imported: add --yes to import it without being asked.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question('Import it? [y/N] ', { signal });
    if (!/^y(es)?$/i.test(answer.trim())) throw new RefusedError('Nothing was imported.');
  } finally {
    terminal.close();
  }
}
