import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

/** What came of one request. */
export interface Answer {
  /** 0: none came in time, or the connection broke. */
  status: number;
  /** Why there is no status; empty otherwise. */
  failure: string;
  headers: IncomingHttpHeaders;
  text: string;
  ms: number;
}

export interface Question {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string;
  timeoutMs?: number;
  /** Default: a connection of its own for each request. */
  agent?: Agent;
}

const DEFAULT_TIMEOUT_MS = 20_000;

/** Never rejects: no answer is a finding, too. */
export function ask(url: string, question: Question = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body, timeoutMs = DEFAULT_TIMEOUT_MS, agent = false } = question;
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const end = (answer: Partial<Answer>) => {
      clearTimeout(timer);
      resolve({ status: 0, failure: '', headers: {}, text: '', ms: performance.now() - startedAt, ...answer });
    };
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const sent = request(url, { method, agent, headers: { ...headers, ...length } }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => end({ status: response.statusCode!, headers: response.headers, text }));
      response.on('error', () => end({ failure: 'broken off' }));
    });
    const timer = setTimeout(() => {
      end({ failure: 'no answer' });
      sent.destroy();
    }, timeoutMs);
    sent.on('error', (error: NodeJS.ErrnoException) => end({ failure: error.code ?? error.message }));
    sent.end(body);
  });
}

export function askJson(url: string, key: string, method: string, body: unknown, more: Question = {}): Promise<Answer> {
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
  return ask(url, { method, headers, body: typeof body === 'string' ? body : JSON.stringify(body), ...more });
}

/** Posts a form as a page of the service would. */
export function postForm(url: string, fields: Record<string, string>, more: OutgoingHttpHeaders = {}): Promise<Answer> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: new URL(url).origin, ...more };
  return ask(url, { method: 'POST', headers, body: new URLSearchParams(fields).toString() });
}

/** "34 × 200, 6 × 503" */
export function tally(answers: readonly Answer[]): string {
  const counts = new Map<string, number>();
  for (const { status, failure } of answers) {
    const name = status ? String(status) : failure;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a], [b]) => a.localeCompare(b));
  return sorted.map(([name, count]) => `${count} × ${name}`).join(', ') || 'none';
}

export function count(answers: readonly Answer[], ...statuses: number[]): number {
  return answers.filter(({ status }) => statuses.includes(status)).length;
}

/** Whether each has one of these statuses, and says when to try again where that is a refusal for now. */
export function areAll(answers: readonly Answer[], ...statuses: number[]): boolean {
  return answers.every(({ status, headers }) => {
    const isForNow = status === 429 || status === 503;
    return statuses.includes(status) && (!isForNow || headers['retry-after'] !== undefined);
  });
}

export function percentile(answers: readonly Answer[], share: number): number {
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

export const slowest = (answers: readonly Answer[]): number => percentile(answers, 1);
