/** The traits by which two accounts are compared. */
export interface AccountTraits {
  name: string;
  /** A person chose the name, so the provider's name is unknown. */
  nameChosen: boolean;
  institution: string | null;
  currency: string | null;
  accountType: string | null;
}

/** Whether two accounts with the same id at a provider can be the same: bank and currency must not differ. */
export function mayBeOneAccount(
  a: Pick<AccountTraits, 'institution' | 'currency'>,
  b: Pick<AccountTraits, 'institution' | 'currency'>,
): boolean {
  const mayShareCurrency = a.currency === null || b.currency === null || a.currency === b.currency;
  const mayShareBank =
    a.institution === null || b.institution === null || plain(a.institution) === plain(b.institution);
  return mayShareCurrency && mayShareBank;
}

/** Traits with normalised texts: each account of one list is compared with each of another. */
interface ComparableTraits extends Omit<AccountTraits, 'name' | 'institution'> {
  plainName: string;
  plainInstitution: string | null;
}

export function toComparable({
  name,
  institution,
  nameChosen,
  currency,
  accountType,
}: AccountTraits): ComparableTraits {
  const plainInstitution = institution === null ? null : plain(institution);
  return { plainName: plain(name), plainInstitution, nameChosen, currency, accountType };
}

/** Whether two accounts with different ids look like one: same name, bank and currency. */
export function isSameAccount(a: ComparableTraits, b: ComparableTraits): boolean {
  if (a.currency === null || a.currency !== b.currency) return false;
  const isBankKnown = a.plainInstitution !== null && b.plainInstitution !== null;
  if (isBankKnown && a.plainInstitution !== b.plainInstitution) return false;
  if (!a.nameChosen && !b.nameChosen) return a.plainName === b.plainName;
  // A chosen name hides the provider's, so bank and type must suffice.
  return isBankKnown && a.accountType === b.accountType;
}

/**
 * Pairs disconnected accounts with listed accounts that look like them. An account with two candidates stays unpaired,
 * because only a person knows which one it is.
 *
 * @param mayPair an additional condition
 */
export function uniquePairs<A extends AccountTraits, B extends AccountTraits>(
  disconnected: readonly A[],
  listed: readonly B[],
  mayPair: (disconnected: A, listed: B) => boolean,
): [A, B][] {
  const comparable = listed.map((b) => ({ b, traits: toComparable(b) }));
  const candidatesOf = new Map<A, B[]>();
  const rivals = new Map<B, number>();
  for (const a of disconnected) {
    const traits = toComparable(a);
    const candidates = comparable.filter((other) => isSameAccount(traits, other.traits) && mayPair(a, other.b));
    candidatesOf.set(
      a,
      candidates.map(({ b }) => b),
    );
    for (const { b } of candidates) rivals.set(b, (rivals.get(b) ?? 0) + 1);
  }
  return [...candidatesOf].flatMap(([a, [b, ...more]]): [A, B][] =>
    b && more.length === 0 && rivals.get(b) === 1 ? [[a, b]] : [],
  );
}

/**
 * Normalised, because providers change case, blanks and punctuation of names at random. Marks are parts of letters: vowels in
 * many scripts. A name without letters and figures stays as it is.
 */
function plain(text: string): string {
  const normal = text.normalize('NFKC').toLowerCase();
  return normal.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim() || normal.trim();
}
