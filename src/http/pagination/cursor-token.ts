/** A text that a client keeps and sends back, and need not read. */
export function tokenText(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** What such a text was made of. It comes from outside: each part has to be checked. `null`: it is none. */
export function tokenParts(text: string): unknown[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(parts) ? parts : null;
  } catch {
    return null;
  }
}

/** Whether a part is a number of records, or of a revision. */
export function isCount(part: unknown): part is number {
  return Number.isSafeInteger(part) && (part as number) >= 0;
}
