import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { recordNotFound } from '../../errors/domain-error.js';
import { Public } from '../../auth/access.guard.js';
import { ALL_ASSETS, type Asset } from './asset-list.js';

const FOR_EVER = 'public, max-age=31536000, immutable';

/** Styles, scripts and the typeface, compressed once and cached by the browser permanently. */
@Public()
@ApiExcludeController()
@Controller('assets')
export class AssetsController {
  readonly #byUrl = new Map<string, Asset>(ALL_ASSETS.map((asset) => [asset.url, asset]));
  readonly #compressed = new Map<string, Promise<Compressed>>();

  @Get(':name')
  async get(@Param('name') name: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const asset = this.#byUrl.get(`/assets/${name}`);
    if (!asset) throw recordNotFound('asset');
    const { body, encoding } = await this.#inEncoding(asset, request.get('accept-encoding') ?? '');
    response.set({ 'Content-Type': asset.type, 'Cache-Control': FOR_EVER, Vary: 'Accept-Encoding' });
    if (encoding) response.set('Content-Encoding', encoding);
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  #inEncoding(asset: Asset, accepted: string): Promise<Compressed> {
    if (!asset.compressible) return Promise.resolve({ body: asset.body, encoding: null });
    const key = `${/\bbr\b/.test(accepted)} ${/\bgzip\b/.test(accepted)} ${asset.url}`;
    let made = this.#compressed.get(key);
    if (!made) this.#compressed.set(key, (made = compress(asset.body, accepted)));
    return made;
  }
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

interface Compressed {
  body: Buffer;
  encoding: 'br' | 'gzip' | null;
}

const BEST = 11;

/** Maximum compression within `Accept-Encoding`, for content that is compressed once and cached. */
async function compress(body: Buffer, acceptEncoding: string): Promise<Compressed> {
  if (/\bbr\b/.test(acceptEncoding)) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: BEST };
    return { body: await brotli(body, { params }), encoding: 'br' };
  }
  if (/\bgzip\b/.test(acceptEncoding)) return { body: await zip(body), encoding: 'gzip' };
  return { body, encoding: null };
}
