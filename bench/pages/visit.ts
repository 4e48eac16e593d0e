import { Agent, get } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';

const agent = new Agent({ keepAlive: true });

export interface Visited {
  /** From asking to the last byte. */
  ms: number;
  /** As they went over the wire, without headers. */
  bytes: number;
  body: Buffer;
  encoding: string | undefined;
}

/** Asks as a browser does, on a connection that stays open. */
export function visit(url: string, cookie: string, more: Record<string, string> = {}): Promise<Visited> {
  const headers = { Cookie: cookie, 'Accept-Encoding': 'gzip, deflate, br', Accept: 'text/html,*/*', ...more };
  return new Promise((resolve, reject) => {
    const start = performance.now();
    get(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const ms = performance.now() - start;
        const body = Buffer.concat(chunks);
        const { statusCode, headers } = response;
        if (statusCode !== 200) return reject(new Error(`${url} answered ${statusCode}`));
        resolve({ ms, bytes: body.length, body, encoding: headers['content-encoding'] });
      });
    }).on('error', reject);
  });
}

/** @returns bytes of the page alone, and with everything that it loads */
export async function weigh(origin: string, path: string, cookie: string): Promise<{ page: number; first: number }> {
  const { body, bytes: page, encoding } = await visit(origin + path, cookie);
  const html = String(encoding === 'br' ? brotliDecompressSync(body) : body);
  let first = page;
  for (const url of new Set(html.match(/\/assets\/[\w.-]+/g))) first += (await visit(origin + url, '')).bytes;
  for (const [, url] of html.matchAll(/hx-get="([^"]+)" hx-trigger="load"/g)) {
    first += (await visit(origin + url, cookie, { 'HX-Request': 'true' })).bytes;
  }
  return { page, first };
}
