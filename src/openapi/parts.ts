import type { OpenAPIObject } from '@nestjs/swagger';

// Swagger's own names of these types are not exported.

type NotReference<T> = Exclude<T, { $ref: string }>;

export type PathItem = OpenAPIObject['paths'][string];
export type Operation = NonNullable<PathItem['get']>;
export type Responses = Operation['responses'];
export type ResponsePart = NotReference<NonNullable<Responses[string]>>;
export type Content = NonNullable<ResponsePart['content']>;
export type HeaderPart = NotReference<NonNullable<ResponsePart['headers']>[string]>;
export type Parameter = NotReference<NonNullable<Operation['parameters']>[number]>;
export type RequestBody = NotReference<NonNullable<Operation['requestBody']>>;
export type Schema = NotReference<NonNullable<Content[string]['schema']>>;
export type SchemaOrReference = NonNullable<Content[string]['schema']>;

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

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

export function isReference(part: object): part is { $ref: string } {
  return '$ref' in part;
}
