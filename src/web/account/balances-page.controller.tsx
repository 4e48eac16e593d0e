import { Get, Param, Query } from '@nestjs/common';
import { isOwn } from '../../balances/accounts/account.entity.js';
import { AccountsRepository } from '../../balances/accounts/accounts.repository.js';
import type { Session } from '../../auth/sessions.service.js';
import { AccountSeriesRepository } from '../../balances/record/account-series.repository.js';
import { BalancesRepository } from '../../balances/record/balances.repository.js';
import { type Fields, textOf } from '../components/form-fields.js';
import { Column, Pager, readPage, WideTable } from '../components/table.js';
import type { PageReply } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import type { AccountRow } from '../../balances/accounts/account.response.js';
import type { BalanceRow } from '../../balances/record/balance.response.js';
import type { UncertainDays } from '../../balances/record/uncertain-days.entity.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { Money } from '../components/money.js';
import { Day } from '../components/when.js';
import { Page } from '../layout/document.js';
import { uncertaintyText, uncertainOn } from './chart-views.js';

const PER_PAGE = 100;

/** The daily balances of an account as figures. */
@WebPage('accounts/:id')
export class BalancesPageController {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly balances: BalancesRepository,
    private readonly series: AccountSeriesRepository,
  ) {}

  @Get('balances')
  async show(
    @CurrentSession() { userId }: Session,
    @Param('id') id: string,
    @Query() query: Fields,
  ): Promise<PageReply> {
    const account = await this.accounts.get(userId, id);
    const [shown, uncertain] = await Promise.all([
      readPage(textOf(query, 'page'), PER_PAGE, (page) =>
        this.balances.listPage(userId, { account_id: [id], ...page }),
      ),
      this.series.uncertainDays(userId, id),
    ]);
    return <BalancesPage account={account} uncertain={uncertain} {...shown} />;
  }
}

interface BalancesPageProps {
  account: AccountRow;
  /** The days whose balance is not certain. */
  uncertain: readonly UncertainDays[];
  /** Newest first. */
  rows: readonly BalanceRow[];
  page: number;
  last: number;
}

function BalancesPage({ account, uncertain, rows, page, last }: BalancesPageProps) {
  const { id, name } = account;
  return (
    <Page
      title={`Daily balances of ${name}`}
      heading="Daily balances"
      back={{ href: `/accounts/${id}`, text: name }}
      lead={rows.length > 0 && <a href={`/accounts/${id}/balances.csv`}>Download CSV</a>}
    >
      <section class="card">
        {rows.length === 0 ? (
          <p class="quiet">There are no balances yet.</p>
        ) : (
          <BalanceTable
            uncertain={uncertain}
            rows={rows}
            reportedOn={isOwn(account) ? null : account.balance_date}
            isByHand={isOwn(account)}
          />
        )}
        <Pager
          label="Pages of balances"
          page={page}
          last={last}
          href={(page) => `/accounts/${id}/balances?page=${page}`}
        />
      </section>
    </Page>
  );
}

interface Movement {
  label: string;
  /** Whether it has a sign, and is left out where no row has any. */
  isChange: boolean;
  of: (row: BalanceRow) => number;
}

const MOVEMENTS: readonly Movement[] = [
  { label: 'In', isChange: false, of: (row) => row.cash_inflows + row.non_cash_inflows },
  { label: 'Out', isChange: false, of: (row) => row.cash_outflows + row.non_cash_outflows },
  { label: 'Market', isChange: true, of: (row) => row.net_market_flows },
  { label: 'Adjustment', isChange: true, of: (row) => row.cash_adjustments + row.non_cash_adjustments },
];

interface BalanceTableProps extends Pick<BalancesPageProps, 'uncertain' | 'rows'> {
  /** The day of the newest report of a bank: what it reported is not uncertain. */
  reportedOn: CalendarDate | null;
  isByHand: boolean;
}

function BalanceTable({ uncertain, rows, reportedOn, isByHand }: BalanceTableProps) {
  const movements = MOVEMENTS.filter(({ isChange, of }) => !isChange || rows.some((row) => of(row) !== 0));
  const levelOf = ({ date }: BalanceRow) => (date !== reportedOn && uncertainOn(uncertain, date)?.level) || null;
  const levels = rows.filter(({ date }) => date !== reportedOn).map(levelOf);
  // After the first report all days may be estimated: said once, above the table.
  const common = levels.every((level) => level === levels[0]) ? levels[0] : null;
  return (
    <>
      {common && <p class="quiet small">{uncertaintyText(common, 'these days', isByHand)}</p>}
      <WideTable label="Daily balances">
        <thead>
          <tr>
            <Column>Day</Column>
            {movements.map(({ label }) => (
              <Column key={label} class="number wide-only">
                {label}
              </Column>
            ))}
            <Column class="number">Balance</Column>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <BalanceLine key={row.id} row={row} level={common ? null : levelOf(row)} movements={movements} />
          ))}
        </tbody>
      </WideTable>
    </>
  );
}

const CERTAINTY: Record<UncertainDays['level'], string> = { estimated: 'Estimated', unknown: 'Not reported' };

interface BalanceLineProps {
  row: BalanceRow;
  /** How uncertain it is; `null`: it is certain. */
  level: UncertainDays['level'] | null;
  movements: readonly Movement[];
}

/** On narrow screens, the movements appear below the balance. */
function BalanceLine({ row, level, movements }: BalanceLineProps) {
  const { date, currency, end_cash: cash, end_non_cash: nonCash } = row;
  const amounts = movements.map(({ label, isChange, of }) => {
    const minor = of(row);
    return { label, amount: minor !== 0 && <Money minor={minor} currency={currency} change={isChange} /> };
  });
  return (
    <tr>
      <th scope="row" class="one-line">
        <Day date={date} /> {level && <span class="certainty quiet small">{CERTAINTY[level]}</span>}
      </th>
      {amounts.map(({ label, amount }) => (
        <td key={label} class="number wide-only">
          {amount}
        </td>
      ))}
      <td class="number">
        <Money minor={cash + nonCash} currency={currency} />
        {amounts.map(
          ({ label, amount }) =>
            amount && (
              <span key={label} class="narrow-only quiet">
                {label} {amount}
              </span>
            ),
        )}
      </td>
    </tr>
  );
}
