import { readFileSync } from 'node:fs';
import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../auth/access.js';

const TEXT = readFileSync(new URL('../../../LICENSE', import.meta.url), 'utf8');

/** The licence, linked in the footer of every page. */
@Public()
@ApiExcludeController()
@Controller('license')
export class LicenseController {
  @Get()
  @Header('Content-Type', 'text/plain; charset=utf-8')
  get(): string {
    return TEXT;
  }
}
