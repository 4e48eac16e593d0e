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

/** Traits with normalised texts: an account is compared with many. */
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

/** An account beside what it is compared by. */
interface Compared<T> {
  account: T;
  traits: ComparableTraits;
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
  const gone = disconnected.map((account) => ({ account, traits: toComparable(account) }));
  const onlyListed = onlyOneLike(listed.map((account) => ({ account, traits: toComparable(account) })));
  const onlyGone = onlyOneLike(gone);
  return gone.flatMap(({ account: a, traits }): [A, B][] => {
    const candidate = onlyListed(traits, (b) => mayPair(a, b));
    if (!candidate) return [];
    const { account: b } = candidate;
    return onlyGone(candidate.traits, (other) => mayPair(other, b))?.account === a ? [[a, b]] : [];
  });
}

/**
 * Returns a function that finds the only account like another one; `null`: there is none, or more than one. A person may
 * have thousands, so pairs of them cannot be compared.
 */
function onlyOneLike<T extends AccountTraits>(accounts: readonly Compared<T>[]) {
  const grouped = accounts.flatMap((one) => groupsOf(one.traits).map((group) => ({ group, one })));
  const groups = Map.groupBy(grouped, ({ group }) => group);
  return (traits: ComparableTraits, mayPair: (account: T) => boolean): Compared<T> | null => {
    let found: Compared<T> | null = null;
    for (const group of groupsLike(traits)) {
      for (const { one } of groups.get(group) ?? []) {
        if (!mayPair(one.account) || !isSameAccount(traits, one.traits)) continue;
        if (found) return null;
        found = one;
      }
    }
    return found;
  };
}

/** The groups that an account is in: of its name, with its bank and without, unless a person chose it; of its bank and type. */
function groupsOf(traits: ComparableTraits): string[] {
  if (traits.nameChosen) return [bankGroup(traits, true)];
  return [nameGroup(traits), nameGroup(traits, traits.plainInstitution), bankGroup(traits, false)];
}

/** The groups of all accounts that {@link isSameAccount} can find the same. */
function groupsLike(traits: ComparableTraits): string[] {
  const ofChosenName = bankGroup(traits, true);
  if (traits.nameChosen) return [ofChosenName, bankGroup(traits, false)];
  if (traits.plainInstitution === null) return [ofChosenName, nameGroup(traits)];
  return [ofChosenName, nameGroup(traits, traits.plainInstitution), nameGroup(traits, null)];
}

function nameGroup({ currency, plainName }: ComparableTraits, ...bank: [] | [string | null]): string {
  return JSON.stringify([currency, plainName, ...bank]);
}

function bankGroup({ currency, plainInstitution, accountType }: ComparableTraits, nameChosen: boolean): string {
  return JSON.stringify([currency, plainInstitution, accountType, nameChosen]);
}

/**
 * Normalised, because providers change case, blanks and punctuation of names at random. Marks are parts of letters: vowels in
 * many scripts. A name without letters and figures stays as it is.
 */
function plain(text: string): string {
  const normal = text.normalize('NFKC').toLowerCase();
  return normal.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim() || normal.trim();
}
