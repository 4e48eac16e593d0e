import type { OpenAPIObject } from '@nestjs/swagger';
import { JSON_TYPE } from '../http/export/media-type.guard.js';
import {
  type Content,
  isReference,
  type Operation,
  operationsOf,
  type Parameter,
  type Reference,
  referencedName,
  type RequestBody,
  type ResponsePart,
} from './document-types.js';

/** A part of an operation that other operations may share. */
interface Place {
  /** The name of the part once it is shared. */
  name: string;
  text: string;
  replace: (reference: Reference) => void;
}

/** Names of responses without a body. */
const NAMES_BY_STATUS: Record<string, string> = { 204: 'Deleted', 304: 'NotModified' };

/** Moves what several operations have in common into `components` and refers to it. */
export function shareParts(document: OpenAPIObject): void {
  const operations = operationsOf(document).map(({ operation }) => operation);
  const share = (kind: string, placesOf: (operation: Operation) => Place[]) => {
    document.components = { ...document.components, [kind]: shareAt(kind, operations.flatMap(placesOf)) };
  };
  share('parameters', parametersIn);
  share('responses', responsesIn);
  share('examples', examplesIn);
}

/** Of different parts with the same name, the most frequent one is shared; the others stay in place. */
function shareAt(kind: string, places: Place[]): Record<string, unknown> {
  const shared: Record<string, unknown> = {};
  const frequentFirst = [...Map.groupBy(places, ({ text }) => text).values()].sort((a, b) => b.length - a.length);
  for (const [{ name, text }, ...others] of frequentFirst as [Place, ...Place[]][]) {
    if (others.length === 0 || name in shared) continue;
    shared[name] = JSON.parse(text) as unknown;
    for (const { text: same, replace } of places) if (same === text) replace({ $ref: `#/components/${kind}/${name}` });
  }
  return shared;
}

function parametersIn({ parameters = [] }: Operation): Place[] {
  return (parameters as Parameter[]).map((parameter, i) => ({
    name: pascalCase(parameter.name),
    text: JSON.stringify(parameter),
    replace: (reference) => (parameters[i] = reference),
  }));
}

/** Errors are named for their code, records for their schema. */
function responsesIn({ responses }: Operation): Place[] {
  return Object.entries(responses as Record<string, ResponsePart>).flatMap(([status, response]) => {
    const body = response.content?.[JSON_TYPE];
    const error = (body?.example as { error?: string } | undefined)?.error;
    const record = body?.schema && isReference(body.schema) ? referencedName(body.schema) : undefined;
    const name = NAMES_BY_STATUS[status] ?? error ?? record;
    const replace = (reference: Reference) => (responses[status] = reference);
    return name ? { name: pascalCase(name), text: JSON.stringify(response), replace } : [];
  });
}

/** Examples of bodies, each named for its schema. */
function examplesIn({ requestBody, responses }: Operation): Place[] {
  const bodies = [requestBody, ...Object.values(responses)] as (RequestBody | ResponsePart | Reference | undefined)[];
  const contents = bodies.flatMap((body) => (body && !isReference(body) ? Object.values(body.content ?? {}) : []));
  return contents.flatMap((content: Content[string]) => {
    const { schema } = content;
    const example: unknown = content.example;
    if (!schema || !isReference(schema) || example === undefined) return [];
    const name = referencedName(schema);
    const replace = (reference: Reference) => {
      content.examples = { [name]: reference };
      delete content.example;
    };
    return { name, text: JSON.stringify({ value: example }), replace };
  });
}

/** `record_not_found` as `RecordNotFound`, `If-None-Match` as `IfNoneMatch`. */
function pascalCase(name: string): string {
  return name.replace(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
