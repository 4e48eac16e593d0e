import { Agent, get } from 'node:http';

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
