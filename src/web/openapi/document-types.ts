import type { OpenAPIObject } from '@nestjs/swagger';

// Swagger does not export its names of these types.

type NotReference<T> = Exclude<T, Reference>;

export interface Reference {
  $ref: string;
}

type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']>;
type Responses = Operation['responses'];
export type ResponsePart = NotReference<NonNullable<Responses[string]>>;
export type Content = NonNullable<ResponsePart['content']>;
export type HeaderPart = NotReference<NonNullable<ResponsePart['headers']>[string]>;
export type Parameter = NotReference<NonNullable<Operation['parameters']>[number]>;
export type RequestBody = NotReference<NonNullable<Operation['requestBody']>>;
export type Schema = NotReference<NonNullable<Content[string]['schema']>>;
export type SchemaOrReference = NonNullable<Content[string]['schema']>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export interface DocumentedOperation {
  path: string;
  method: (typeof METHODS)[number];
  operation: Operation;
}

/** Every operation of a document with its path and method. */
export function operationsOf(document: OpenAPIObject): DocumentedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ path, method, operation: item[method] }] : [])),
  );
}

export function isReference(part: object): part is Reference {
  return '$ref' in part;
}

/** A reference to a schema of the document. */
export function schemaReference(name: string): Reference {
  return { $ref: `#/components/schemas/${name}` };
}

/** The name of what a reference leads to. */
export function referencedName({ $ref }: Reference): string {
  return $ref.split('/').at(-1)!;
}

/** Resolves a reference within the document. */
export function resolve<Part extends object>(part: Part | Reference, document: OpenAPIObject): Part {
  if (!isReference(part)) return part;
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/([\w.-]+)$/.exec(part.$ref) ?? [];
  const components = (document.components ?? {}) as Record<string, Record<string, Part | Reference> | undefined>;
  const found = components[kind]?.[name];
  if (!found) throw new Error(`the document has no ${part.$ref}`);
  return resolve(found, document);
}

export function parametersOf({ parameters = [] }: Operation, document: OpenAPIObject): Parameter[] {
  return parameters.map((parameter) => resolve<Parameter>(parameter, document));
}
