import { request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from 'node:http';

interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** A request with the headers exactly as given, `Host` among them, which `fetch` would write itself. */
export async function rawRequest(
  url: string,
  { body, ...options }: Omit<RequestOptions, 'headers'> & { headers?: string[] | IncomingHttpHeaders; body?: string },
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sending = httpRequest(url, { agent: false, ...options }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString() });
      });
    });
    sending.on('error', reject).end(body);
  });
}
