import { writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { AppSecrets } from '../src/platform/config/app-secret.js';
import { AppModule } from '../src/app.module.js';
import { Secret } from '../src/platform/config/secret.js';
import { readConfig } from '../src/platform/config/config.js';
import { openApiDocument } from '../src/web/openapi/document.js';
import { MODULES } from '../src/modules.js';
import { PROVIDERS } from '../src/providers/installed.js';
import { referenceOf } from './reference.js';

// Writes docs/openapi.json and docs/reference.md. Nothing is started: a preview of the application knows its routes.

const app = await NestFactory.create(
  AppModule.forRoot({
    config: readConfig(PROVIDERS, MODULES, {}, {}),
    secrets: new AppSecrets([new Secret('none')]),
    database: { clientUrl: 'postgresql://none' },
  }),
  { preview: true, logger: false, abortOnError: false },
);
const document = openApiDocument(app);
writeFileSync('docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`);
writeFileSync('docs/reference.md', referenceOf(document));
