import { type Normalizer, prettyHtml, prettyJson } from './normalize.js';

/** What an HTTP client or server adds, and what differs from one answer to the next. */
const UNRECORDED = new Set([
  ...['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding', 'x-request-id'],
  ...['ratelimit-remaining', 'ratelimit-reset', 'set-cookie'],
]);

export type Recorded = Map<string, string>;

/** The headers of an answer that matter, as lines. */
function headerLines(headers: Headers): string[] {
  const named = [...headers].filter(([name]) => !UNRECORDED.has(name));
  const cookies = headers.getSetCookie().map((cookie) => ['set-cookie', cookie.replace(/=[^;]+/, '=<value>')] as const);
  const all = [...named, ...cookies].map(([name, value]) => {
    if (name === 'etag') return `etag: ${value.startsWith('W/') ? 'W/' : ''}"<etag>"`;
    if (name === 'last-modified') return 'last-modified: <moment>';
    return `${name}: ${value}`;
  });
  return all.sort();
}

/** Writes answers; of their headers, those that are not those of an answer that is recorded once. */
export class AnswerWriter {
  #usual: string[] = [];

  /** From now on only what differs from these headers is written. @returns them */
  usual(headers: Headers): string {
    this.#usual = headerLines(headers);
    return this.#usual.map((line) => `${line}\n`).join('');
  }

  /** @param what was requested */
  write(
    what: string,
    { status, headers }: Pick<Response, 'status' | 'headers'>,
    body: string,
    normalizer: Normalizer,
  ): string {
    const lines = headerLines(headers);
    const missing = this.#usual.filter((line) => !lines.some((one) => nameOf(one) === nameOf(line)));
    const head = [
      what,
      String(status),
      ...lines.filter((line) => !this.#usual.includes(line)),
      ...missing.map((line) => `${nameOf(line)}: (none)`),
    ];
    return normalizer.text(`${head.join('\n')}\n\n${pretty(headers.get('content-type') ?? '', body)}\n`);
  }
}

const nameOf = (line: string) => line.slice(0, line.indexOf(':'));

function pretty(type: string, body: string): string {
  if (body === '') return '';
  if (/^application\/([\w.-]+\+)?json/.test(type)) return prettyJson(JSON.parse(body));
  if (type.startsWith('text/html')) return prettyHtml(body);
  if (type.startsWith('text/event-stream')) {
    return body.trimEnd().replaceAll(/(?<=^data: ).*$/gm, (data) => prettyJson(JSON.parse(data)));
  }
  return body.trimEnd();
}
