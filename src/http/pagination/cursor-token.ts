/** An opaque text that a client stores and sends back. */
export function tokenText(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** The parts of such a text. It comes from outside: check each part. `null`: it is none of ours. */
export function tokenParts(text: string): unknown[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(parts) ? parts : null;
  } catch {
    return null;
  }
}

/** Whether a part is a count of records or a revision. */
export function isCount(part: unknown): part is number {
  return Number.isSafeInteger(part) && (part as number) >= 0;
}
