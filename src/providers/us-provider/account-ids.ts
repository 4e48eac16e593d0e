import type { KnownAccount } from '../bank-provider.js';
import { accountNameOf, lineOf } from '../read-values.js';
import { institutionOf, type WireAccount, type WireConnection } from './payload.js';

type Listings = [WireAccount, ...WireAccount[]];

/**
 * Names accounts by external ids that are unique within the credential. The provider's id is unique within one login only,
 * so accounts of different logins with one id get the login's name as a prefix. What is stored keeps its name, whichever
 * logins an answer lists: a login may be missing for a day, and one with the same id may be linked later.
 */
export class AccountIds {
  /** By id and login. */
  readonly #names = new Map<string, Map<string, string>>();
  readonly #listed: ReadonlySet<string>;

  /**
   * @param listed the accounts of the snapshot, each as often as answers list it
   * @param known what is stored, by external id
   */
  constructor(
    listed: readonly WireAccount[],
    connections: ReadonlyMap<string | null | undefined, WireConnection> = new Map(),
    private readonly known: ReadonlyMap<string, KnownAccount> = new Map(),
  ) {
    for (const [id, ofId] of Map.groupBy(listed, (wire) => wire.id)) {
      const logins = Map.groupBy(ofId, loginOf);
      const unknown = [...logins].filter(([login]) => !known.has(prefixed(login, id)));
      const stored = known.get(id);
      const candidates = unknown.map(([login, [wire]]) => ({ login, wire: wire! }));
      const owner = stored && ownerOf(stored, candidates, connections);
      const isOwner = (login: string) => (stored ? login === owner : logins.size === 1);
      const nameOf = (login: string) => {
        const name = prefixed(login, id);
        return !known.has(name) && isOwner(login) ? id : name;
      };
      this.#names.set(id, new Map([...logins.keys()].map((login) => [login, nameOf(login)])));
    }
    this.#listed = new Set([...this.#names.values()].flatMap((names) => [...names.values()]));
  }

  /** Groups the accounts of an answer by external id, because an account may be listed twice. */
  group(accounts: readonly WireAccount[]): Map<string, Listings> {
    return Map.groupBy(accounts, (wire) => this.#of(wire)) as Map<string, Listings>;
  }

  /** The external ids under which accounts with this id are stored that are not listed. */
  unlisted(id: string): string[] {
    const isStored = (name: string) => name === id || name.endsWith(`/${id}`);
    return [...this.known.keys()].filter((name) => isStored(name) && !this.#listed.has(name));
  }

  /** A login that only an older window lists is none of the snapshot. */
  #of(wire: WireAccount): string {
    const login = loginOf(wire);
    return this.#names.get(wire.id)?.get(login) ?? prefixed(login, wire.id);
  }
}

interface Candidate {
  login: string;
  wire: WireAccount;
}

/**
 * The login of an account that is stored without one: the only candidate, unless both its bank and its name are others,
 * or the only one of its bank or, at the same bank, of its name; `undefined`: it cannot be told, and the history of one
 * must not go on in another.
 */
function ownerOf(
  { name, nameChosen, institution }: KnownAccount,
  candidates: readonly Candidate[],
  connections: ReadonlyMap<string | null | undefined, WireConnection>,
): string | undefined {
  const isOfBank = ({ wire }: Candidate) => {
    const bank = institutionOf(wire, connections.get(wire.conn_id));
    return institution === null || bank === institution;
  };
  const isOfName = ({ wire }: Candidate) => accountNameOf(wire.name) === name;
  const [only, ...others] = candidates;
  // A bank may be renamed, and so may an account.
  if (only && others.length === 0) return nameChosen || isOfBank(only) || isOfName(only) ? only.login : undefined;
  const ofBank = candidates.filter(isOfBank);
  return [ofBank, ofBank.filter(isOfName)].find(({ length }) => length === 1)?.[0]!.login;
}

function prefixed(login: string, id: string): string {
  return `${login}/${id}`;
}

function loginOf({ conn_id, org }: WireAccount): string {
  return conn_id || org?.id || lineOf(org?.domain) || lineOf(org?.name) || '';
}
