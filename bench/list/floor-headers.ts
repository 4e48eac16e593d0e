import type { Question } from '../load.js';

/** What Node.js writes by itself, or what depends on the answer. */
const OWN = new Set(['date', 'connection', 'keep-alive', 'content-length']);

/** The headers of an answer of the service, for the floor to write the same. */
export async function headersOf({ url, headers }: Question): Promise<Record<string, string>> {
  const answer = await fetch(url, { headers: { ...headers, 'Accept-Encoding': 'identity' } });
  await answer.arrayBuffer();
  return Object.fromEntries([...answer.headers].filter(([name]) => !OWN.has(name)));
}
