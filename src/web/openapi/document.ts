import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { API_KEY_SCHEME } from '../../auth/require-scope.decorator.js';
import type { ProviderDescriptor } from '../../providers/provider-descriptor.js';
import { Config } from '../../platform/config/config.js';
import { Installed } from '../../platform/module.js';
import { requestClassesOf } from '../../sync/overview/provider-requests.service.js';
import { completeOperation, SHARED_PARTS } from './complete-operation.js';
import { errorTable } from './error-examples.js';
import { operationsOf } from './document-types.js';
import { describeProviders } from './provider-requests.js';

/** @param basePath where the pages are */
const descriptionOf = (basePath: string) =>
  `
Tidemark keeps one balance record per account per day that reconciles to the cent.

1. **Get a key**: sign in and create one under [API keys](${basePath}/keys). It is shown once.
2. **Authorize**: in Swagger UI, press the button of this name and paste the key. Elsewhere, send it in the header \`X-Api-Key\`.
3. **Try** \`GET /api/v1/balances\`: open it and press Execute. You see the answer, and the \`curl\` command that gets it.
4. **Examples** name your own records if you are signed in with this browser.
5. **Take everything**: \`Accept: text/csv\` for a spreadsheet, \`GET /api/v1/changes\` to keep a copy up to date.

<details><summary>Rules of all routes: amounts, lists, retries, versions and errors</summary>

**Amounts** come twice: as text (\`balance\`: "$1,234.56") and, with the suffix \`_cents\`, as an integer in the
currency's minor unit; a bank's amount beyond 10^14 minor units is left out, and the sync says so. **Dates** are days of the calendar (\`YYYY-MM-DD\`), **timestamps** are UTC.

**Authentication**: send your API key in the header \`X-Api-Key\`. A key has scopes; each route names the one it needs.
A request is checked in this order: 401, 429, 403, 422.

**Lists** have pages: \`page\` and \`per_page\` (at most 100), with the first, previous, next and last one in the header
\`Link\`. Out-of-range values are brought into range. A sync that writes moves the pages; \`cursor=first\`, then each
\`next_cursor\`, reads balances and transactions on from the last record instead. \`updated_since\` of accounts, balances and
transactions finds what was written lately; only \`GET /api/v1/changes\` tells what was removed. Most lists have an \`ETag\`: sent as
\`If-None-Match\`, it is answered with 304 while nothing has changed. With \`Accept: text/csv\` or
\`application/x-ndjson\` balances, transactions, audit events and reconciliations come whole, without pages.

A **POST** or **PUT** with an \`Idempotency-Key\` is carried out once. Sent again within 24 hours with the same body, it gets the
same answer, with \`Idempotent-Replayed: true\`. While the first one runs the answer is 409; with another body it is 422.
A refused request frees its key. Your API keys share one set of these texts: one that another of them has used is 422. An API
key that is limited to accounts has a set of its own.

**Conditions**: what changes data takes no \`If-Match\` but \`*\`, since entity tags are weak, and no \`If-None-Match: *\`:
both are 412, whether there is such a record or not. What reads ignores \`If-Match\`.

An **unknown query parameter** or member of a body is refused with 422. Only \`GET /api/v1/balances\` ignores unknown
parameters, and names them in the header \`Warning\`. A parameter without a value, such as \`cursor=\`, counts as absent.

A request that the service cannot read is refused before its route is known: 408 where it takes too long to arrive, 431
where its headers are too large. A path answers a method that it does not have with 405, and names the others in \`Allow\`.

**Versions**: \`v1\` gains routes, members, parameters and values of members that may have others. What it takes away or changes
is announced in the changelog at least six months before; until then the route works, and answers with \`Deprecation\`
(RFC 9745) and \`Sunset\` (RFC 8594).

**Errors** have one form, \`ErrorResponse\`. The members of a request are checked one by one first, and then together and
against what is stored, such as whether a day is to come: \`errors\` has all problems of the check that failed.

${errorTable()}

</details>
`.trim();

const TAGS = {
  Balances: 'What each account held at the end of each day, and why.',
  'Net worth': 'All accounts of a currency together.',
  Accounts: 'The accounts of your connections.',
  Transactions: 'Posted and pending transactions.',
  Holdings: 'What investment accounts hold.',
  Changes: 'What has changed, for keeping a copy up to date.',
  Connections: 'Your connections to banks, each through a provider.',
  Syncs: 'The syncs of your connections, with their results and problems.',
  Me: 'The current API key and its user.',
  'Audit events': 'Sign-ins, and changes of keys, credentials and data.',
  Health: 'For monitoring. No key needed.',
};

/** The OpenAPI document of every route for programs. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const config = app.get<Config<ProviderDescriptor>>(Config);
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.0.3')
    .setTitle('Tidemark')
    .setDescription(descriptionOf(config.basePath))
    .setVersion('v1')
    .setLicense('AGPL-3.0-only', 'https://www.gnu.org/licenses/agpl-3.0.html')
    .addServer(config.basePath || '/', 'This service')
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'Your API key: `tm_…`.' },
      API_KEY_SCHEME,
    )
    .addSecurityRequirements(API_KEY_SCHEME);
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);
  for (const { tag } of app.get(Installed).modules) if (tag) builder.addTag(tag.name, tag.description);
  const providers = config.providers.map(({ descriptor }) => descriptor);
  const requests = providers.map(requestClassesOf).flatMap(({ connect, replace }) => [connect, replace]);
  const document = withoutSuffix(SwaggerModule.createDocument(app, builder.build(), { extraModels: requests }));
  describeProviders(document, providers);
  document.components = { ...document.components, ...SHARED_PARTS };
  for (const operation of operationsOf(document)) completeOperation(operation, document);
  return document;
}

/** The class is `BalanceResponse`, the schema is `Balance`. Errors keep their names. */
function withoutSuffix(document: OpenAPIObject): OpenAPIObject {
  const shortened = (name: string) => name.replace(/(?<!^Error)Response$/, '');
  const text = JSON.stringify(document).replace(
    /"#\/components\/schemas\/(\w+)"/g,
    (_, name: string) => `"#/components/schemas/${shortened(name)}"`,
  );
  const result = JSON.parse(text) as OpenAPIObject;
  const schemas = Object.entries(result.components!.schemas!);
  result.components!.schemas = Object.fromEntries(schemas.map(([name, schema]) => [shortened(name), schema]));
  return result;
}
