import { brotliCompressSync } from 'node:zlib';
import { Controller, Get, Header, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Public } from '../../auth/access.guard.js';
import { recordNotFound } from '../../platform/domain-error.js';
import { EXIT_CONFIG, StartupError } from '../../platform/config/startup-error.js';
import { PROGRAM_FOLDER } from '../../platform/config/version.js';
import { ALL_ASSETS, type Asset } from './asset-list.js';

const FOR_EVER = 'public, max-age=31536000, immutable';

/** Styles, scripts and the typeface, cached by the browser permanently. */
@Public()
@ApiExcludeController()
@Controller('assets')
export class AssetsController {
  readonly #byUrl = new Map(ALL_ASSETS.map((asset) => [asset.url, asset]));
  readonly #small = new Map<Asset, Buffer>();

  @Get(':name')
  get(@Param('name') name: string, @Req() request: Request, @Res() response: Response): void {
    const asset = this.#byUrl.get(`/assets/${name}`);
    if (!asset) throw recordNotFound('asset');
    response.set({ 'Content-Type': asset.type, 'Cache-Control': FOR_EVER }).vary('Accept-Encoding');
    const isSmaller = isText(asset) && request.acceptsEncodings('br', 'gzip') === 'br';
    if (isSmaller) response.set('Content-Encoding', 'br');
    response.send(isSmaller ? this.#compressed(asset) : asset.body);
  }

  /** As small as it gets, once: answers that differ each time are compressed less, because it must be quick. */
  #compressed(asset: Asset): Buffer {
    const small = this.#small.get(asset) ?? brotliCompressSync(asset.body);
    this.#small.set(asset, small);
    return small;
  }
}

function isText({ type }: Asset): boolean {
  return /^text|svg|json/.test(type);
}

/** The license, linked in the footer of every page. */
@Public()
@ApiExcludeController()
@Controller('license')
export class LicenseController {
  readonly #text = readLicense();

  @Get()
  @Header('Content-Type', 'text/plain; charset=utf-8')
  get(): string {
    return this.#text;
  }
}

/** @throws StartupError where only a part of the program was copied */
function readLicense(): string {
  const file = join(PROGRAM_FOLDER, 'LICENSE');
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const message = `${file} is missing: the pages link to the license. Copy it there, too.`;
    throw new StartupError(message, EXIT_CONFIG);
  }
}
