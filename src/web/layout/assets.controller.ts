import { Controller, Get, Header, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Public } from '../../auth/access.guard.js';
import { recordNotFound } from '../../platform/domain-error.js';
import { EXIT_CONFIG, StartupError } from '../../platform/config/startup-error.js';
import { PROGRAM_FOLDER } from '../../platform/config/version.js';
import { ALL_ASSETS } from './asset-list.js';

const FOR_EVER = 'public, max-age=31536000, immutable';

/** Styles, scripts and the typeface, cached by the browser permanently. */
@Public()
@ApiExcludeController()
@Controller('assets')
export class AssetsController {
  readonly #byUrl = new Map(ALL_ASSETS.map((asset) => [asset.url, asset]));

  @Get(':name')
  get(@Param('name') name: string, @Res() response: Response): void {
    const asset = this.#byUrl.get(`/assets/${name}`);
    if (!asset) throw recordNotFound('asset');
    response.set({ 'Content-Type': asset.type, 'Cache-Control': FOR_EVER }).send(asset.body);
  }
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
