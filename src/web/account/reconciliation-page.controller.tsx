import { Get, Headers, Param, Query } from '@nestjs/common';
import type { Session } from '../../auth/sessions.service.js';
import { ReconciliationService } from '../../balances/reconciliation/reconciliation.service.js';
import { type Fields, textOf } from '../components/form-fields.js';
import { Column, pageOf, Pager, WideTable } from '../components/table.js';
import type { PageReply } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { accountRules } from '../../balances/engine/account-type.js';
import type { ReconciliationResponse } from '../../balances/reconciliation/reconciliation.response.js';
import { currencyCode } from '../../platform/money/currency.js';
import { Page } from '../layout/document.js';
import { Notice } from '../components/notice.js';
import { Money, numberText } from '../components/money.js';
import { Moment } from '../components/when.js';

const PER_PAGE = 100;

/** Deriving the history again takes time, so an account's page loads this part after it is shown. */
@WebPage('accounts/:id/reconciliation')
export class ReconciliationPageController {
  constructor(private readonly reconciliations: ReconciliationService) {}

  @Get()
  async show(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Query() query: Fields,
    @Headers('hx-request') part?: string,
  ): Promise<PageReply> {
    const read = (page: number) => this.reconciliations.readReconciliation(session, id, { page, per_page: PER_PAGE });
    const asked = await read(pageOf(textOf(query, 'page')));
    const { page, total_pages: last } = asked.pagination;
    const reconciliation = last > 0 && page > last ? await read(last) : asked;
    if (part) return <Findings reconciliation={reconciliation} />;
    return <ReconciliationPage reconciliation={reconciliation} />;
  }
}

const SHOWN_FINDINGS = 3;

interface FindingsProps {
  reconciliation: ReconciliationResponse;
  all?: boolean;
}

/** The newest findings, for the account's page. */
function Findings({ reconciliation, all = false }: FindingsProps) {
  const { findings, open_difference: open } = reconciliation;
  const currency = currencyCode(reconciliation.currency);
  const newestFirst = [...findings].reverse().filter(({ kind }) => kind !== 'unexplained_open');
  const agreement = agreementText(reconciliation);
  const shown = all ? newestFirst : newestFirst.slice(0, SHOWN_FINDINGS);
  return (
    <div class="stack">
      {open && <Notice kind="warn">{sentence(open.text)}</Notice>}
      {!open && currency && agreement && <p>{agreement}</p>}
      {shown.length > 0 && (
        <ul class="findings quiet small">
          {shown.map(({ text }) => (
            <li key={text}>{sentence(text)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Findings of balances that differed from what the transactions explain. */
const DIFFERENCES = new Set<string>([
  'unexplained_settled',
  'gap',
  'transaction_twice',
  'balance_does_not_follow',
  'statement_differs',
]);

/** Without an open difference. A single report agrees with everything, since the history is derived from it. */
function agreementText({ account, findings, observations, pagination }: ReconciliationResponse): string | null {
  const { total_count: reports, total_pages: pages } = pagination;
  if (reports === 0) return 'The bank reported no balance to compare with.';
  if (reports === 1) return 'One balance reported so far, so there is nothing to compare yet.';
  if (accountRules(account.account_type).movedBy !== 'entries') {
    return 'This history comes straight from the reported values.';
  }
  // The finding says itself how they differ, and that it will pass.
  if (findings.some(({ kind }) => kind === 'timing')) return null;
  const differs = observations.some(({ difference_cents: difference }) => difference !== 0);
  if (differs || findings.some(({ kind }) => DIFFERENCES.has(kind))) {
    return 'No difference is open. The history has adjustments for earlier ones.';
  }
  if (pages > 1) return `The bank and its transactions agree in these ${numberText(observations.length)} reports.`;
  return `The bank and its transactions agree in ${reports === 2 ? 'both' : `all ${numberText(reports)}`} reports so far.`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Every finding and every report. */
function ReconciliationPage({ reconciliation }: { reconciliation: ReconciliationResponse }) {
  const { account, observations, currency, pagination } = reconciliation;
  return (
    <Page
      title={`Does ${account.name} add up?`}
      heading="Does it add up?"
      back={{ href: `/accounts/${account.id}`, text: account.name }}
      isReading
    >
      <section class="card" aria-label="Findings">
        <Findings reconciliation={reconciliation} all />
      </section>
      {currency && observations.length > 0 && (
        <section class="card">
          <h2>What the bank reported</h2>
          <ReportTable reports={observations} currency={currency} />
          <Pager
            label="Pages of reports"
            page={pagination.page}
            last={pagination.total_pages}
            href={(page) => `/accounts/${account.id}/reconciliation?page=${page}`}
          />
        </section>
      )}
    </Page>
  );
}

interface ReportTableProps {
  reports: ReconciliationResponse['observations'];
  currency: string;
}

/** Each report beside the balance that the transactions explain. */
function ReportTable({ reports, currency }: ReportTableProps) {
  return (
    <WideTable label="What the bank reported">
      <thead>
        <tr>
          <Column>When</Column>
          <Column class="number">Reported</Column>
          <Column class="number wide-only">Explained</Column>
          <Column class="number">Difference</Column>
        </tr>
      </thead>
      <tbody>
        {reports.map((report) => (
          <tr key={report.observed_at}>
            <th scope="row" class="moment">
              <Moment at={report.observed_at} />
            </th>
            <td class="number">
              <Money minor={report.reported_cents} currency={currency} />
              {report.difference_cents !== 0 && (
                <span class="narrow-only quiet small">
                  <Money minor={report.derived_cents} currency={currency} /> explained
                </span>
              )}
            </td>
            <td class="number wide-only">
              <Money minor={report.derived_cents} currency={currency} />
            </td>
            <td class="number">
              <Money minor={report.difference_cents} currency={currency} change />
            </td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}
