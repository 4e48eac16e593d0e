import type { TestClient } from './app.js';

interface CopiedRecord {
  id?: string;
  date?: string;
  account?: { id: string };
}

interface Part {
  type: string;
  ids?: string[];
  account_id?: string;
  from?: string | null;
  to?: string | null;
  records: CopiedRecord[];
}

const KINDS = ['accounts', 'balances', 'connections', 'holdings', 'syncs', 'transactions'] as const;
type Kind = (typeof KINDS)[number];

/** A copy that a program keeps by following the change feed. */
export class Copy {
  readonly records = Object.fromEntries(KINDS.map((kind) => [kind, [] as CopiedRecord[]])) as Record<
    Kind,
    CopiedRecord[]
  >;
  cursor: string | null = null;

  constructor(
    private readonly client: TestClient,
    private readonly query = '',
  ) {}

  /** One answer. @returns whether there are more */
  async step(limit: number): Promise<boolean> {
    const from = this.cursor === null ? '' : `&cursor=${this.cursor}`;
    const { status, body } = await this.client.get(`/api/v1/changes?limit=${limit}${from}${this.query}`);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    for (const part of body.changes as Part[]) this.#replace(part);
    this.cursor = body.cursor;
    return body.has_more;
  }

  async catchUp(limit = () => 500): Promise<void> {
    while (await this.step(limit()));
  }

  /** What there is, in an order of its own. */
  sorted(kind: Kind): string[] {
    return sortedTexts(this.records[kind]);
  }

  #replace({ type, ids, account_id, from, to, records }: Part): void {
    const kind = type as Kind;
    const isCovered = (record: CopiedRecord) =>
      ids
        ? ids.includes(record.id!)
        : record.account!.id === account_id && (!from || record.date! >= from) && (!to || record.date! <= to);
    // A record that another account had before keeps its id.
    const taken = new Set(records.flatMap(({ id }) => id ?? []));
    const kept = this.records[kind].filter((record) => !isCovered(record) && !(record.id && taken.has(record.id)));
    this.records[kind] = [...kept, ...records];
  }
}

/** Everything that a list says, page by page. */
export async function listed(client: TestClient, kind: Kind): Promise<string[]> {
  const records: object[] = [];
  for (let page = 1; ; page++) {
    const { body } = await client.get(`/api/v1/${kind}?per_page=100&page=${page}`);
    records.push(...(body[kind] as object[]));
    if (page >= body.pagination.total_pages) return sortedTexts(records);
  }
}

export { KINDS };

function sortedTexts(records: readonly object[]): string[] {
  return records.map((record) => JSON.stringify(record)).sort();
}
