import { numberText } from './money.js';

let inNaturalOrder: Intl.Collator | undefined;

/** "Account 2" before "Account 10". */
export function byName(a: { name: string }, b: { name: string }): number {
  inNaturalOrder ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  return inNaturalOrder.compare(a.name, b.name);
}

/** What tells each account apart by its id: its name, with its bank where several banks have an account of that name. */
export function namesOf(accounts: readonly { id: string; name: string; institution: string | null }[]) {
  const banksOf = Map.groupBy(accounts, ({ name }) => name);
  return new Map(
    accounts.map(({ id, name, institution }) => {
      const banks = new Set(banksOf.get(name)!.map((other) => other.institution));
      return [id, institution !== null && banks.size > 1 ? `${name} at ${institution}` : name];
    }),
  );
}

interface NamesProps {
  of: readonly { name: string; href?: string; why?: string }[];
  /** Further names are only counted. */
  max?: number;
}

/** Names in a sentence, in natural order. They may run from right to left, the sentence around them does not. */
export function Names({ of, max = 3 }: NamesProps) {
  const named = of.toSorted(byName).slice(0, max);
  const more = of.length - named.length;
  return (
    <>
      {named.map(({ name, href, why }, i) => (
        <>
          {i > 0 && ', '}
          {href ? <a href={href}>{name}</a> : <bdi>{name}</bdi>}
          {why && ` (${why})`}
        </>
      ))}
      {more > 0 && ` and ${numberText(more)} more`}
    </>
  );
}
