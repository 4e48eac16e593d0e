import { dateOfDayNumber } from '../../src/platform/time/calendar-date.js';
import type { Row } from './feed.js';
import type { Played } from './score.js';

const money = (minor: number) => (minor / 100).toFixed(2);
const date = (day: number) => dateOfDayNumber(day).slice(5);

/** One account day by day, as after a check: what each sync brought, and what became of it. */
export function show({ kind, seed, faults, world, checks }: Played, checkIndex: number): string {
  const check = checks.at(checkIndex);
  if (!check) return 'Nothing was derived.';
  const answers = world.answers.filter(({ at }) => at <= check.at);
  const toldOn = new Map<number, string[]>();
  const tell = (day: number, text: string) => toldOn.set(day, [...(toldOn.get(day) ?? []), text]);
  let before = new Map<string, Row>();
  answers.forEach(({ at, rows, report, coveredFrom }, index) => {
    const today = world.personDay(at);
    const listed = new Map(rows.map((row) => [row.id, row]));
    const nameOf = ({ id, day, amount, pending, text, of }: Row) =>
      `${pending ? '~' : ''}${money(amount)}${day === today ? '' : ` on ${date(day)}`} [${id} ${text}${of.length || pending ? '' : ' MADE UP'}]`;
    for (const row of index === 0 ? [] : rows) {
      const known = before.get(row.id);
      if (!known) tell(today, `+ ${nameOf(row)}`);
      else if (nameOf(known) !== nameOf(row)) tell(today, `= ${nameOf(row)}`);
    }
    for (const row of before.values())
      if (!listed.has(row.id) && row.day >= coveredFrom) tell(today, `- ${nameOf(row)}`);
    if (index === 0) for (const row of rows) tell(row.day, `${nameOf(row)}`);
    const said = report ? `${money(report.amount)}${report.day === null ? '' : ` of ${date(report.day)}`}` : 'none';
    tell(
      today,
      `BALANCE ${said}${report?.trueAt === at ? '' : ' (not of now)'} at ${new Date(at).toISOString().slice(11, 16)}`,
    );
    before = listed;
  });
  const lines = check.days.map(({ day, truth, derived, isMarked, determined }) => {
    const verdict = truth === derived ? '' : `WRONG by ${money(derived - truth)}`;
    const head = [date(day), money(truth).padStart(11), money(derived).padStart(11), isMarked ? 'marked' : '      '];
    return [...head, determined.padEnd(6), verdict.padEnd(16), (toldOn.get(day) ?? []).join('; ')].join('  ');
  });
  const what = `${kind}, seed ${seed}: ${faults.join(' + ')}; ${world.books.persona}, pending ${world.includePending ? 'asked for' : 'not asked for'}`;
  const legend = '+ new, = changed, - gone, ~ pending; rows of the first answer stand on their own days';
  const missing = world.books.postings.filter(({ at }) => at <= check.at);
  const unlisted = missing.filter((posting) => !world.rows.some((row) => row.of.includes(posting)));
  const unlistedText = unlisted.map(({ day, amount, text }) => `${date(day)} ${money(amount)} ${text}`).join(', ');
  const columns = 'day          truth      derived  mark    determined';
  return [what, legend, `Postings without a row: ${unlistedText || 'none'}`, columns, ...lines].join('\n');
}
