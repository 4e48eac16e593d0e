import { writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { AppSecrets } from '../src/platform/config/app-secret.js';
import { AppModule } from '../src/app.module.js';
import { Secret } from '../src/platform/config/secret.js';
import { readConfig } from '../src/platform/config/config.js';
import { openApiDocument } from '../src/web/openapi/document.js';
import { MODULES } from '../src/modules.js';
import { PROVIDERS } from '../src/providers/installed.js';

// Writes docs/openapi.json. Nothing is started: a preview of the application knows its routes.

const app = await NestFactory.create(
  AppModule.forRoot({
    config: readConfig(PROVIDERS, MODULES, {}, {}),
    secrets: new AppSecrets([new Secret('none')]),
    database: { clientUrl: 'postgresql://none' },
  }),
  { preview: true, logger: false, abortOnError: false },
);
writeFileSync('docs/openapi.json', `${JSON.stringify(openApiDocument(app), null, 2)}\n`);
