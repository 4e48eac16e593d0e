import type { OpenAPIObject, ReferenceObject, SchemaObject } from '@nestjs/swagger';
import { errorTable } from '../src/web/openapi/error-examples.js';
import {
  type DocumentedOperation,
  isReference,
  operationsOf,
  parametersOf,
  referencedName,
  resolve,
} from '../src/web/openapi/document-types.js';

type Schema = SchemaObject | ReferenceObject;

/** Every route and every record of the API on one page, as docs/reference.md has it. */
export function referenceOf(document: OpenAPIObject): string {
  const operations = operationsOf(document);
  const sections = (document.tags ?? []).flatMap(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags?.includes(name));
    const rows = own.map((operation) => rowOf(operation, document));
    return [`## ${name}`, description!, table(['Route', 'Scope', 'What it does', 'Takes', 'Answers'], rows)];
  });
  const records = Object.entries(document.components!.schemas!).flatMap(([name, schema]) => {
    const rows = isCollection(name) ? [] : membersOf(schema as SchemaObject);
    return rows.length > 0 ? [[`<a name="${anchorOf(name)}"></a>**${name}**`, '', ''], ...rows] : [];
  });
  return [
    '# Reference of the API',
    'Made from the API document by `npm run openapi`. How keys, lists, errors and retries work: [use/api.md](use/api.md). An amount that is text has ' +
      'an integer beside it, with the suffix `_cents`. A `?` stands behind what may be `null`.',
    ...sections,
    '## Parameters',
    'Where routes take parameters of one name that differ, the routes are named.',
    table(['Parameter', 'Type', '', 'Routes'], parameterRows(operations, document)),
    '## Errors',
    errorTable(),
    '## Bodies and answers',
    'Lists have their records under the name of the list, `pagination`, and where they are read by cursor `next_cursor`.',
    table(['Member', 'Type', ''], records),
  ]
    .join('\n\n')
    .concat('\n');
}

function rowOf({ path, method, operation }: DocumentedOperation, document: OpenAPIObject): string[] {
  const query = parametersOf(operation, document).flatMap(({ name, in: place }) =>
    place === 'query' ? [`\`${name}\``] : [],
  );
  const body = operation.requestBody && resolve(operation.requestBody, document);
  const taken = Object.values(body?.content ?? {}).map(({ schema }) => typeOf(schema!));
  const [status, answer] = Object.entries(operation.responses).find(([code]) => code.startsWith('2'))!;
  const { content = {} } = resolve(answer!, document);
  const given = Object.entries(content).map(([type, { schema }]) =>
    type === 'application/json' ? typeOf(schema!) : type.replace(/^\w+\/(x-)?/, ''),
  );
  const [, scope] = /^Scope: (`.+?`)/m.exec(operation.description ?? '') ?? [];
  return [
    `\`${method.toUpperCase()} ${path}\``,
    scope ?? '',
    operation.summary ?? '',
    [...taken, ...query].join(' '),
    [status, ...new Set(given)].join(' '),
  ];
}

/** Each parameter of a query once, as the routes that have it agree on it. */
function parameterRows(operations: readonly DocumentedOperation[], document: OpenAPIObject): string[][] {
  const found = operations.flatMap(({ path, operation }) =>
    parametersOf(operation, document).flatMap(({ name, in: place, schema, description = '' }) =>
      place === 'query' ? [{ name, path, row: [`\`${name}\``, boundedType(schema as SchemaObject), description] }] : [],
    ),
  );
  const alike = [...Map.groupBy(found, ({ row }) => row.join()).values()];
  const rows = alike.map((same) => {
    const [{ name, row }] = same as [(typeof found)[number]];
    const isAll = same.length === found.filter((one) => one.name === name).length;
    return [...row, isAll ? '' : same.map(({ path }) => `\`${path}\``).join(' ')];
  });
  return rows.sort(([one], [other]) => (one! < other! ? -1 : 1));
}

function boundedType(schema: SchemaObject): string {
  const { minimum, maximum } = schema;
  const given: unknown = schema.default;
  const bounds = [minimum !== undefined && `from ${minimum}`, maximum !== undefined && `to ${maximum}`];
  const text = [typeOf(schema), ...bounds].filter(Boolean).join(' ');
  return given === undefined ? text : `${text}, default \`${JSON.stringify(given)}\``;
}

/** The feed is read in parts, and not by page. */
const isCollection = (name: string) => name.endsWith('Collection') && name !== 'ChangeCollection';
const anchorOf = (name: string) => name.toLowerCase();

function membersOf({ properties = {}, oneOf }: SchemaObject): string[][] {
  if (oneOf) return [['one of', oneOf.map(typeOf).join(' '), '']];
  const members = Object.entries(properties).filter(
    ([name]) => !(name.replace(/_cents$/, '') in properties && /_cents$/.test(name)),
  );
  return members.map(([name, schema]) => [
    `\`${name}\``,
    typeOf(schema),
    'description' in schema ? schema.description! : '',
  ]);
}

function typeOf(schema: Schema): string {
  if (isReference(schema)) {
    const name = referencedName(schema);
    const shown = isCollection(name) ? name.replace('Collection', '') : name;
    return `[${shown}](#${anchorOf(shown)})${isCollection(name) ? '[]' : ''}`;
  }
  const { type, format, enum: values, items, allOf, oneOf, nullable } = schema;
  const one = allOf ?? oneOf;
  const text = values
    ? values.flatMap((value) => (value === null ? [] : [`\`${value}\``])).join(' ')
    : one
      ? one.map(typeOf).join(' or ')
      : items
        ? `${typeOf(items)}[]`
        : (format ?? String(type ?? 'any'));
  return nullable ? `${text}?` : text;
}

function table(head: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
