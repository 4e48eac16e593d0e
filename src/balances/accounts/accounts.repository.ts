import { EntityRepository, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { atOneMoment } from '../../database/one-moment.js';
import { rawRows } from '../../database/raw-rows.js';
import { recordNotFound } from '../../platform/domain-error.js';
import { isUuid } from '../../http/input/validators.js';
import { offsetOf } from '../../http/pagination/page.js';
import type { Account } from './account.entity.js';
import type { AccountRow } from './account.response.js';

/**
 * With the newest balance and report in the account's own currency; what is reported of a closed account does not count.
 * Raw, because amounts and days are cast: the driver gives amounts as text. Every part names the person: on Citus it
 * would ask all nodes otherwise.
 */
const ROWS = `
  select a.id, a.name, a.institution, a.account_type, a.currency, a.connection_id, a.provider, a.status,
    a.closed_on::text as closed_on, a.include_in_net_worth, a.hidden, a.unsupported_balance,
    date_part('epoch', a.created_at) as created_at, date_part('epoch', a.updated_at) as updated_at,
    a.holdings_supported, (case when a.closed_on is null then a.stale_since end)::text as stale_since,
    balance.end_minor::float8 as balance_minor, report.available_minor::float8 as available_minor,
    (case when a.closed_on is null then coalesce(report.balance_date, report.day, own.date) else balance.date end)::text
      as balance_date
  from accounts a
  left join lateral (
    select end_cash + end_non_cash as end_minor, date from balances b
    where b.user_id = $1 and b.account_id = a.id and b.currency = a.currency order by date desc limit 1
  ) balance on true
  left join lateral (
    select available_minor, balance_date, day from observations o
    where o.user_id = $1 and o.account_id = a.id and o.currency = a.currency
      and (a.closed_on is null or o.day <= a.closed_on)
    order by observed_at desc limit 1
  ) report on true
  left join lateral (
    select greatest(
      (select max(date) from stated_balances s where s.user_id = $1 and s.account_id = a.id and s.currency = a.currency),
      (select max(last_date) from imported_lists l where l.user_id = $1 and l.account_id = a.id),
      (select max(date) from own_rows r where r.user_id = $1 and r.account_id = a.id and r.list_id is null)
    ) as date where a.provider = 'own'
  ) own on true
  where a.user_id = $1
`;

/** Accounts. Lists are SQL with an explicit mapper. */
export class AccountsRepository extends EntityRepository<Account> {
  /** By name. */
  listPage(
    userId: string,
    page: { page: number; per_page: number; account_id?: readonly string[]; updated_since?: string },
  ): Promise<{ rows: AccountRow[]; totalCount: number }> {
    return atOneMoment(this.em, async () => {
      const ids = page.account_id && [...page.account_id];
      const since = page.updated_since;
      const { total } = await this.em
        .getKysely<InferClassEntityDB<typeof Account>>()
        .selectFrom('accounts')
        .select(({ fn }) => fn.countAll<string>().as('total'))
        .where('user_id', '=', userId)
        .$if(ids !== undefined, (accounts) => accounts.where('id', 'in', ids!))
        .$if(since !== undefined, (accounts) => accounts.where('updated_at', '>=', new Date(since!)))
        .executeTakeFirstOrThrow();
      const text = `${ROWS} and ($2::uuid[] is null or a.id = any($2)) and ($3::timestamptz is null or a.updated_at >= $3)
        order by a.name, a.id limit $4 offset $5`;
      const values = [userId, ids ?? null, since ?? null, page.per_page, offsetOf(page)];
      return { rows: await rawRows<AccountRow>(this.em, text, values), totalCount: Number(total) };
    });
  }

  /** All that a person has, by name. */
  list(userId: string): Promise<AccountRow[]> {
    return rawRows<AccountRow>(this.em, `${ROWS} order by a.name, a.id`, [userId]);
  }

  findByIds(userId: string, ids: readonly string[]): Promise<AccountRow[]> {
    return rawRows<AccountRow>(this.em, `${ROWS} and a.id = any($2::uuid[]) order by a.id`, [userId, [...ids]]);
  }

  /** @throws DomainError `record_not_found` */
  async get(userId: string, id: string): Promise<AccountRow> {
    const row = isUuid(id) ? await this.findById(userId, id) : null;
    if (!row) throw recordNotFound('account');
    return row;
  }

  async findById(userId: string, id: string): Promise<AccountRow | null> {
    const [row] = await this.findByIds(userId, [id]);
    return row ?? null;
  }
}
