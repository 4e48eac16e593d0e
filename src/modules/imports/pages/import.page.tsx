import {
  type AccountRow,
  ButtonForm,
  Column,
  FoldedForm,
  isOwn,
  Money,
  Notice,
  numberText,
  Page,
  ShownDay,
  ShownMoment,
  WideTable,
} from '../../../kit.js';
import type { FileProblem } from '../files/statement-file.js';
import type { PreviewedSample } from '../import.entities.js';
import { effectsOf, rowsText, supersededText } from '../import-text.js';
import type { GoneCounts, ImportAccount, ImportRow } from '../list-imports.service.js';
import { ReadingForm } from './reading-form.js';

interface ImportPageProps {
  found: ImportRow;
  accounts: readonly AccountRow[];
  /** What undoing it takes along. */
  gone: GoneCounts;
  /** What was just done. */
  done: string;
  /** Why it was not possible. */
  problem: string;
}

export function ImportPage({ found, accounts, gone, done, problem }: ImportPageProps) {
  const { id, name, preview, acceptedAt } = found;
  const isOpen = (preview?.questions.length ?? 0) > 0;
  return (
    <Page title={name} back={{ href: '/imports', text: 'Imports' }} lead={leadOf(found)} isReading>
      {done === 'accepted' && <Notice kind="done">The file was imported.</Notice>}
      {done === 'accepted' &&
        found.accounts.map(({ account_id: into }) => (
          <Unvalued key={into} account={accounts.find((one) => one.id === into)} />
        ))}
      {problem !== '' && <Notice kind="warn">{problem}</Notice>}
      {found.accounts.map((part) => (
        <Part
          key={part.account_id}
          part={part}
          account={accounts.find((one) => one.id === part.account_id)}
          importId={id}
        />
      ))}
      {preview && <Problems title="Problems in the file" count={preview.problem_count} problems={preview.problems} />}
      {preview && !isOpen && (
        <div class="actions">
          <ButtonForm action={`/imports/${id}/accept`} look="">
            Import
          </ButtonForm>
          <ThrowAway found={found} />
        </div>
      )}
      {preview && <ReadingForm found={found} preview={preview} accounts={accounts} />}
      {preview && <Problems title="What was left out" count={preview.notes.length} problems={preview.notes} />}
      {preview && isOpen && <ThrowAway found={found} />}
      {acceptedAt && (
        <FoldedForm
          class="card"
          title="Undo this import"
          action={`/imports/${id}/remove`}
          submit={`Undo ${name}`}
          look="danger"
        >
          <p class="quiet">
            Imported <ShownMoment at={acceptedAt} />. {goneText(gone)} The history is then what it is without this file.
          </p>
        </FoldedForm>
      )}
    </Page>
  );
}

/** A file without balances leaves an account that no bank lists without one. */
function Unvalued({ account }: { account: AccountRow | undefined }) {
  if (!account || !isOwn(account) || account.balance_minor !== null) return null;
  return (
    <Notice kind="warn">
      {account.name} has no balance yet.{' '}
      <a href={`/accounts/${account.id}#statements`}>Say what it was worth on any day</a>
    </Notice>
  );
}

function leadOf({ status, format, preview }: ImportRow): string {
  if (status === 'accepted') return `Imported from ${FORMATS[format]}.`;
  const isOpen = (preview?.questions.length ?? 0) > 0;
  return isOpen
    ? 'Say how the file is read, then look at what it would do.'
    : 'This is what importing the file would do.';
}

const FORMATS = { csv: 'CSV', ofx: 'OFX', 'camt.053': 'CAMT', mt940: 'MT940', qif: 'QIF' } as const;

/** The names of the accounts into which it goes. */
export function namesOf({ accounts: parts }: ImportRow, accounts: readonly AccountRow[]): string {
  const names = parts.flatMap((part) => accounts.find(({ id }) => id === part.account_id)?.name ?? []);
  return names.join(', ') || 'Its account was deleted';
}

/** Nothing of a preview is in an account. */
export function ThrowAway({ found: { id, name } }: { found: ImportRow }) {
  return (
    <ButtonForm action={`/imports/${id}/remove`} label={`Throw away: ${name}`}>
      Throw away
    </ButtonForm>
  );
}

function goneText({ rows, balances, corrections }: GoneCounts): string {
  const parts = [
    ...(rows > 0 ? [rowsText(rows)] : []),
    ...(balances > 0 ? [`${numberText(balances)} ${balances === 1 ? 'balance' : 'balances'}`] : []),
  ];
  const gone =
    parts.length === 0 ? 'Nothing that counts goes' : `${parts.join(' and ')} ${rows + balances === 1 ? 'goes' : 'go'}`;
  if (corrections === 0) return `${gone}.`;
  const corrected = corrections === 1 ? 'a correction' : `${numberText(corrections)} corrections`;
  return `${gone}${parts.length === 0 ? ' but' : ', and with them'} ${corrected} of yours.`;
}

function Part({ part, account, importId }: { part: ImportAccount; account: AccountRow | undefined; importId: string }) {
  const { counts, balances, first_date: first, last_date: last } = part;
  return (
    <section class="card">
      <h2>
        <a href={`/accounts/${part.account_id}`}>{account?.name ?? 'Account'}</a>
      </h2>
      <ul class="lines">
        <li>
          {rowsText(counts.found)} in the file
          {first && last && (
            <>
              , <ShownDay date={first} /> to <ShownDay date={last} />
            </>
          )}
        </li>
        {effectsOf(part).map(({ of, text }) => (
          <li key={of}>{of === 'left_out' ? <a href={`/imports/${importId}/left-out`}>{text}</a> : text}</li>
        ))}
      </ul>
      {counts.superseded !== null && counts.superseded > 0 && (
        <Notice kind="warn">
          {supersededText(counts.superseded)}:{' '}
          {part.superseded.map(({ date, amount_minor: minor, description }, place) => (
            <span key={place}>
              {place > 0 && '; '}
              <ShownDay date={date} /> {description} <Money minor={minor} currency={part.currency!} />
            </span>
          ))}
          {counts.superseded > part.superseded.length && '; …'}
        </Notice>
      )}
      {balances.differences.length > 0 && (
        <ul class="lines small">
          {balances.differences.map((one) => (
            <li key={one.date}>
              <ShownDay date={one.date} />: <Money minor={one.stated_minor} currency={part.currency!} /> in the file,{' '}
              <Money minor={one.known_minor} currency={part.currency!} /> without it
            </li>
          ))}
        </ul>
      )}
      {part.sample.length > 0 && <Sample rows={part.sample} currency={part.currency!} total={counts.found} />}
    </section>
  );
}

const STANDINGS = { counted: 'Added', paired: 'Known', left_out: 'Left out' } as const;

function Sample({ rows, currency, total }: { rows: readonly PreviewedSample[]; currency: string; total: number }) {
  return (
    <>
      <WideTable label="The first transactions">
        <thead>
          <tr>
            <Column>Date</Column>
            <Column>Description</Column>
            <Column>Would be</Column>
            <Column class="number">Amount</Column>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.line}>
              <td>
                <ShownDay date={row.date} />
              </td>
              <td>{row.description}</td>
              <td>{STANDINGS[row.standing]}</td>
              <td class="number">
                <Money minor={row.amount_minor} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
      </WideTable>
      {total > rows.length && <p class="quiet small">And {numberText(total - rows.length)} more.</p>}
    </>
  );
}

function Problems({ title, count, problems }: { title: string; count: number; problems: readonly FileProblem[] }) {
  if (count === 0) return null;
  return (
    <details class="card">
      <summary>
        {title}: {numberText(count)}
      </summary>
      <ul class="lines">
        {problems.map(({ line, message }, place) => (
          <li key={place}>
            {line !== null && <b>Line {numberText(line)}: </b>}
            {message}
          </li>
        ))}
      </ul>
      {count > problems.length && <p class="quiet small">And {numberText(count - problems.length)} more.</p>}
    </details>
  );
}
