import { createHash } from 'node:crypto';

/** Rows that are left out, each counted once: a provider that ignores the requested days lists them in every answer. */
export class LeftOutRows {
  /** How often a content occurs in one answer, because two equal rows are two purchases. */
  readonly #times = new Map<string, number>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** @param item one more row of the same answer, as it was parsed */
  add(item: unknown): void {
    const content = contentOf(item);
    this.#set(content, (this.#times.get(content) ?? 0) + 1);
  }

  /** @param others those of another answer */
  merge(others: LeftOutRows): void {
    for (const [content, times] of others.#times) {
      if (times > (this.#times.get(content) ?? 0)) this.#set(content, times);
    }
  }

  #set(content: string, times: number): void {
    this.#count += times - (this.#times.get(content) ?? 0);
    this.#times.set(content, times);
  }
}

function contentOf(item: unknown): string {
  try {
    return createHash('sha256').update(JSON.stringify(item)).digest('base64url').slice(0, 22);
  } catch {
    // Nested more deeply than can be written.
    return '';
  }
}
