import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../auth/access.guard.js';
import { EXIT_CONFIG, StartupError } from '../../config/startup-error.js';

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
  const file = new URL('../../../LICENSE', import.meta.url);
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const message = `${fileURLToPath(file)} is missing: the pages link to the license. Copy it there, too.`;
    throw new StartupError(message, EXIT_CONFIG);
  }
}
