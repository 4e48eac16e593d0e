/** A browser without scripts: keeps cookies, follows nothing by itself, and sends forms as a page would. */
export class Visitor {
  readonly #cookies = new Map<string, string>();

  /** @param session a token, for a person who is signed in */
  constructor(
    readonly url: string,
    session?: string,
  ) {
    if (session !== undefined) this.#cookies.set('tidemark', session);
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Visit> {
    return this.#send(path, { headers });
  }

  /** Sends the fields with the form token of the page at `from`, as the form on it would. */
  async submit(path: string, fields: Record<string, string | string[]>, from = path): Promise<Visit> {
    return this.post(path, { ...fields, ...(await this.#tokenOf(from)) });
  }

  /** The same of a form with a file, in the field `file`. */
  async upload(path: string, fields: Record<string, string>, file: File, from = path): Promise<Visit> {
    const body = formOf({ ...fields, ...(await this.#tokenOf(from)) }, file);
    return this.#send(path, { method: 'POST', body, headers: { 'Sec-Fetch-Site': 'same-origin' } });
  }

  async #tokenOf(page: string): Promise<Record<string, string>> {
    const { html } = await this.get(page);
    const token = /name="form_token" value="([^"]+)"/.exec(html)?.[1];
    return token === undefined ? {} : { form_token: token };
  }

  /** Follows the redirect of a form to the page of this site that shows what came of it. */
  async follow({ headers }: Visit): Promise<Visit> {
    return this.get(headers.get('location') ?? '');
  }

  async post(
    path: string,
    fields: Record<string, string | string[]>,
    headers: Record<string, string> = { 'Sec-Fetch-Site': 'same-origin' },
  ): Promise<Visit> {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) for (const text of [value].flat()) body.append(name, text);
    return this.#send(path, { method: 'POST', body, headers });
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  /** Signs the first person up; the session is kept. */
  async signUp(email = 'anna@example.com', password = 'correct horse'): Promise<Visit> {
    return this.post('/sign-up', { email, password, time_zone: 'Europe/Prague' });
  }

  async #send(path: string, init: RequestInit): Promise<Visit> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string>), ...(cookie && { cookie }) };
    const response = await fetch(this.url + path, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    const html = await response.text();
    return { status: response.status, headers: response.headers, html, text: textOf(html) };
  }

  #keep(line: string): void {
    const [pair = ''] = line.split(';');
    const [name = '', value = ''] = pair.split('=');
    if (value === '') this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

export function formOf(fields: Record<string, string>, file: File): FormData {
  const form = new FormData();
  for (const [name, text] of Object.entries(fields)) form.append(name, text);
  form.append('file', file);
  return form;
}

export interface Visit {
  status: number;
  headers: Headers;
  html: string;
  /** What a person reads, blanks and line breaks as one blank. */
  text: string;
}

const SIGNS: Record<string, string> = { quot: '"', amp: '&', lt: '<', gt: '>', '#39': "'" };

function textOf(html: string): string {
  const visible = html.replace(/<(script|head)[\s\S]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' ');
  return visible
    .replace(/&(\w+|#39);/g, (whole, name: string) => SIGNS[name] ?? whole)
    .replace(/\s+/g, ' ')
    .replace(/ ([.,:)])/g, '$1');
}
