/** By what two accounts may be recognised as one. */
export interface AccountTraits {
  name: string;
  /** The name is a person's: it says nothing of what the provider calls the account. */
  nameChosen: boolean;
  institution: string | null;
  currency: string | null;
  accountType: string | null;
}

/** The same id at the same provider is the same account, unless bank or currency speak against it. */
export function maySameIdMean(
  a: Pick<AccountTraits, 'institution' | 'currency'>,
  b: Pick<AccountTraits, 'institution' | 'currency'>,
): boolean {
  return (a.currency === null || b.currency === null || a.currency === b.currency) && mayShareBank(a, b);
}

/** Whether two accounts with different ids look like one: the same name, bank and currency. */
export function isSameAccount(a: AccountTraits, b: AccountTraits): boolean {
  if (a.currency === null || a.currency !== b.currency || !mayShareBank(a, b)) return false;
  if (!a.nameChosen && !b.nameChosen) return plain(a.name) === plain(b.name);
  // A chosen name hides the provider's; the bank and the kind of account have to do.
  return a.institution !== null && b.institution !== null && a.accountType === b.accountType;
}

/**
 * Pairs disconnected accounts with listed accounts that look like them. Two candidates for one are none: which of them it is
 * only a person knows.
 *
 * @param mayPair what else decides whether two can be one
 */
export function uniquePairs<A extends AccountTraits, B extends AccountTraits>(
  disconnected: readonly A[],
  listed: readonly B[],
  mayPair: (disconnected: A, listed: B) => boolean,
): [A, B][] {
  const pairs = disconnected.flatMap((a) =>
    listed.filter((b) => isSameAccount(a, b) && mayPair(a, b)).map((b): [A, B] => [a, b]),
  );
  return pairs.filter(([a, b]) => pairs.filter(([otherA, otherB]) => otherA === a || otherB === b).length === 1);
}

function mayShareBank(a: Pick<AccountTraits, 'institution'>, b: Pick<AccountTraits, 'institution'>): boolean {
  return a.institution === null || b.institution === null || plain(a.institution) === plain(b.institution);
}

/** Providers change case, blanks and punctuation of a name without meaning anything. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
