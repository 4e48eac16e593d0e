import { ButtonForm, Money, Page, Pager, ShownDay } from '../../../kit.js';
import type { ImportedRow } from '../import-rows.service.js';
import type { ImportRow } from '../list-imports.service.js';

interface LeftOutPageProps {
  found: ImportRow;
  rows: readonly ImportedRow[];
  page: number;
  last: number;
}

/** What a file has and the bank, or a later file, does not have on its days. */
export function LeftOutPage({ found: { id, name }, rows, page, last }: LeftOutPageProps) {
  return (
    <Page
      title="Left out of the file"
      back={{ href: `/imports/${id}`, text: name }}
      lead="These transactions are on days that the bank or a later file lists, and it does not have them, so they do not count. Count those that are missing there."
      isReading
    >
      {rows.length === 0 ? (
        <p class="card quiet">There is none.</p>
      ) : (
        <ul class="card rows" aria-label="Transactions">
          {rows.map((row, place) => (
            <li key={place} class="line">
              <div>
                <p>{row.description || row.merchant || 'Transaction'}</p>
                <p class="quiet small">
                  <ShownDay date={row.date} />
                  {row.line !== null && ` · line ${row.line}`}
                </p>
              </div>
              <Money minor={row.amount_minor} currency={row.currency} />
              {row.line === null && (
                <ButtonForm action={`/transactions/${row.transaction_id}/count`} label={`Count ${row.description}`}>
                  Count it
                </ButtonForm>
              )}
            </li>
          ))}
        </ul>
      )}
      <Pager
        label="Pages of transactions"
        page={page}
        last={last}
        href={(to) => `/imports/${id}/left-out?page=${to}`}
      />
    </Page>
  );
}
