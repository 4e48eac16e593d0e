import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { API_KEY_SCHEME } from './auth/require-scope.decorator.js';

const DESCRIPTION = `
Tidemark keeps one balance record per account per day that reconciles to the cent.

Every amount comes twice: as text (\`balance\`: "$1,234.56") and, with the suffix \`_cents\`, as an integer in the
currency's minor unit. Send your API key in the header \`X-Api-Key\`.
`.trim();

export function openApiDocument(app: INestApplication): OpenAPIObject {
  const options = new DocumentBuilder()
    .setOpenAPIVersion('3.0.3')
    .setTitle('Tidemark')
    .setDescription(DESCRIPTION)
    .setVersion('v1')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Api-Key' }, API_KEY_SCHEME)
    .build();
  return SwaggerModule.createDocument(app, options);
}
