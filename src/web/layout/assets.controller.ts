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
  readonly #compressed = new Map<string, Promise<Buffer>>();

  @Get(':name')
  async get(@Param('name') name: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const asset = this.#byUrl.get(`/assets/${name}`);
    if (!asset) throw recordNotFound('asset');
    const encoding = asset.compressible ? smallestOf(request.acceptsEncodings()) : null;
    const body = encoding ? await this.#compress(asset, encoding) : asset.body;
    response.set({ 'Content-Type': asset.type, 'Cache-Control': FOR_EVER, Vary: 'Accept-Encoding' });
    if (encoding) response.set('Content-Encoding', encoding);
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  /** Maximum compression, since it is done once. */
  #compress({ url, body }: Asset, encoding: Encoding): Promise<Buffer> {
    const key = `${encoding} ${url}`;
    let compressed = this.#compressed.get(key);
    if (!compressed) this.#compressed.set(key, (compressed = COMPRESSORS[encoding](body)));
    return compressed;
  }
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const BEST = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

type Encoding = 'br' | 'gzip';

const COMPRESSORS: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => brotli(body, BEST),
  gzip: (body) => zip(body),
};

function smallestOf(accepted: readonly string[]): Encoding | null {
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding)) ?? null;
}
