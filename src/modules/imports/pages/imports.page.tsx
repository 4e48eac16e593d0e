import {
  type AccountRow,
  FileField,
  Form,
  Notice,
  Page,
  Pager,
  SelectField,
  ShownMoment,
  Submit,
} from '../../../kit.js';
import type { ImportRow } from '../list-imports.service.js';
import { namesOf, ThrowAway } from './import.page.js';

interface ImportsPageProps {
  imports: readonly ImportRow[];
  accounts: readonly AccountRow[];
  /** The account that is chosen at first. */
  into: string;
  page: number;
  last: number;
  /** Whether an import was just removed. */
  isRemoved: boolean;
}

export function ImportsPage({ imports, accounts, into, page, last, isRemoved }: ImportsPageProps) {
  return (
    <Page
      title="Imports"
      back={{ href: '/settings', text: 'Settings' }}
      lead="Banks tell the last months or years. Files of your bank add the years before: nothing is imported before you have seen what it would do."
      isReading
    >
      {isRemoved && <Notice kind="done">The import was removed.</Notice>}
      {accounts.length === 0 ? (
        <section class="card stack">
          <p class="quiet">There is no account yet into which a file could be imported.</p>
          <p>
            <a href="/accounts/new">Add an account by hand</a>
          </p>
        </section>
      ) : (
        <section class="card">
          <h2>Import a file</h2>
          <Form action="/imports" class="stack" hasFile>
            <FileField
              name="file"
              label="File"
              accept=".csv,.txt,.tsv,.ofx,.qfx,.xml,.zip,.sta,.mt940,.940,.qif"
              hint="CSV, OFX or QFX, CAMT, MT940 or QIF, as your bank offers them for download; at most 25 MiB."
            />
            <SelectField
              name="account_id"
              label="Into"
              selected={into}
              options={accounts.map(({ id, name, currency }) => ({ value: id, text: `${name} (${currency})` }))}
            />
            <Submit>Read the file</Submit>
          </Form>
        </section>
      )}
      {imports.length > 0 && (
        <ul class="card rows" aria-label="Your imports">
          {imports.map((one) => (
            <li key={one.id} class="line">
              <div>
                <p>
                  <a href={`/imports/${one.id}`}>
                    <b>{one.name}</b>
                  </a>{' '}
                  {one.status === 'preview' && <span class="badge">Not accepted yet</span>}
                </p>
                <p class="quiet small">
                  {namesOf(one, accounts)} · <ShownMoment at={one.acceptedAt ?? one.createdAt} />
                </p>
              </div>
              {one.status === 'preview' && <ThrowAway found={one} />}
            </li>
          ))}
        </ul>
      )}
      <Pager label="Pages of imports" page={page} last={last} href={(to) => `/imports?page=${to}`} />
    </Page>
  );
}
