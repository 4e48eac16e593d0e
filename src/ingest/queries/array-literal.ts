const TO_ESCAPE = /["\\]/g;

/**
 * PostgreSQL's text form of an array of texts, for a parameter cast to an array. Several times faster than handing the
 * driver an array: it looks at the type of every element.
 */
export function textArray(texts: readonly (string | null)[]): string {
  return `{${texts.map(quoted).join(',')}}`;
}

/** The same for values whose text needs no quotes: numbers, booleans, days. */
export function plainArray(values: readonly (number | boolean | string)[]): string {
  return `{${values.join(',')}}`;
}

function quoted(text: string | null): string {
  if (text === null) return 'NULL';
  // Hardly any text has something to escape, and looking is cheaper than replacing.
  return text.includes('"') || text.includes('\\') ? `"${text.replace(TO_ESCAPE, '\\$&')}"` : `"${text}"`;
}
