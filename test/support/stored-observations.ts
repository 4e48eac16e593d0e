/** Runs a statement. */
type Query = (statement: string) => Promise<{ line: string }[]>;

/** What a transaction has in common with its versions. */
const FACTS = 'user_id, date, amount_minor, currency, description, merchant, first_seen_at';

/**
 * What was observed of everybody, a line each: balance reports, holdings, posted transactions as they are or were once
 * listed, and the versions of transactions. A later sync may add lines, and change none. Pending transactions are left
 * out, because banks replace them.
 */
export async function storedObservations(query: Query): Promise<Set<string>> {
  const rows = await query(`
    select concat('report ', to_jsonb(o) - '{repeated_at,repeated_days,repeated_balance_dates}'::text[]) as line
    from observations o
    union all select concat('holding ', to_jsonb(h)) from holdings h
    union all select concat('transaction ', id, ' ', jsonb_build_array(${FACTS})) from transactions where not pending
    union all select concat('transaction ', transaction_id, ' ', jsonb_build_array(${FACTS})) from transaction_versions
    union all select concat('version ', to_jsonb(v) - 'replaced_by') from transaction_versions v`);
  return new Set(rows.map(({ line }) => line));
}

/** The lines that were changed or lost. */
export function lostObservations(before: ReadonlySet<string>, after: ReadonlySet<string>): string[] {
  return [...before].filter((line) => !after.has(line));
}
