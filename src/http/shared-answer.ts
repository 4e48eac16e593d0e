import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import compression from 'compression';
import type { Request, Response } from 'express';
import { namesTag, weakTag } from './conditional-get/conditional-get.service.js';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** The best quality saves a tenth and takes fifteen times as long: seconds for what is larger. */
const MAX_BEST_QUALITY_BYTES = 200_000;

/** The smallest first. */
const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

const ENCODERS: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => {
    const quality = bytes.length <= MAX_BEST_QUALITY_BYTES ? constants.BROTLI_MAX_QUALITY : 9;
    return brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  },
  gzip: (bytes) => zip(bytes),
};

const sent = new WeakSet<Response>();

/** Whether the bytes of an answer are final, so that no middleware may compress them for this one request. */
export function isSharedAnswer(response: Response): boolean {
  return sent.has(response);
}

/** Bytes that are the same for everybody. Each encoding is made once, so that no request costs work in proportion to them. */
export class SharedAnswer {
  readonly #headers: Record<string, string>;
  /** Weak, since it is one for all encodings. */
  readonly #tag: string;
  readonly #encoded = new Map<Encoding, Promise<Buffer | null>>();

  constructor(
    private readonly bytes: Buffer,
    type: string,
    cacheControl: string,
  ) {
    this.#tag = weakTag([hash('sha256', bytes, 'base64url')]);
    this.#headers = { 'Content-Type': type, 'Cache-Control': cacheControl, ETag: this.#tag };
  }

  async send(request: Request, response: Response): Promise<void> {
    sent.add(response);
    response.set(this.#headers);
    const condition = request.get('if-none-match');
    if (condition?.trim() === '*' || namesTag(condition, this.#tag)) return void response.status(304).end();
    const encoding = compression.filter(request, response) ? wantedEncoding(request) : null;
    const encoded = encoding && (await this.#encode(encoding));
    if (encoded) response.set('Content-Encoding', encoding);
    response.send(encoded ?? this.bytes);
  }

  /** `null`: there is no memory for it now. */
  #encode(encoding: Encoding): Promise<Buffer | null> {
    let encoded = this.#encoded.get(encoding);
    if (!encoded) {
      encoded = ENCODERS[encoding](this.bytes).catch(() => {
        this.#encoded.delete(encoding);
        return null;
      });
      this.#encoded.set(encoding, encoded);
    }
    return encoded;
  }
}

/** What the client wants most, and the smallest of several that it wants as much, as the compression of other answers. */
function wantedEncoding(request: Request): Encoding | null {
  const accepted = (request.get('accept-encoding') ?? '').toLowerCase();
  const qualities = new Map<string, number>();
  for (const [, name, quality = '1'] of accepted.matchAll(/([^\s,;]+)\s*(?:;\s*q=([\d.]+))?/g)) {
    qualities.set(name!, Number(quality));
  }
  const qualityOf = (encoding: string) => qualities.get(encoding) ?? qualities.get('*') ?? 0;
  const [best] = ENCODINGS.toSorted((one, other) => qualityOf(other) - qualityOf(one));
  const atLeast = qualities.get('identity') ?? 0;
  return qualityOf(best!) > 0 && qualityOf(best!) >= atLeast ? best! : null;
}
