import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

export interface Compressed {
  body: Buffer;
  encoding: 'br' | 'gzip' | null;
}

const BEST = 11;

/** Maximum compression within `Accept-Encoding`, for content that is compressed once and cached. */
export async function compress(body: Buffer, acceptEncoding: string): Promise<Compressed> {
  if (/\bbr\b/.test(acceptEncoding)) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: BEST };
    return { body: await brotli(body, { params }), encoding: 'br' };
  }
  if (/\bgzip\b/.test(acceptEncoding)) return { body: await zip(body), encoding: 'gzip' };
  return { body, encoding: null };
}
