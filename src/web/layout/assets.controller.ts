import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../auth/access.guard.js';
import { recordNotFound } from '../../errors/domain-error.js';
import { SharedAnswer } from '../../http/shared-answer.js';
import { ALL_ASSETS } from './asset-list.js';

const FOR_EVER = 'public, max-age=31536000, immutable';

/** Styles, scripts and the typeface, cached by the browser permanently. */
@Public()
@ApiExcludeController()
@Controller('assets')
export class AssetsController {
  readonly #byUrl = new Map(ALL_ASSETS.map(({ url, type, body }) => [url, new SharedAnswer(body, type, FOR_EVER)]));

  @Get(':name')
  async get(@Param('name') name: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const asset = this.#byUrl.get(`/assets/${name}`);
    if (!asset) throw recordNotFound('asset');
    await asset.send(request, response);
  }
}
