import type { OpenAPIObject, OperationObject, ParameterObject, ReferenceObject } from '@nestjs/swagger';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export interface DocumentedOperation {
  path: string;
  method: (typeof METHODS)[number];
  operation: OperationObject;
}

/** Every operation of a document with its path and method. */
export function operationsOf(document: OpenAPIObject): DocumentedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ path, method, operation: item[method] }] : [])),
  );
}

export function isReference(part: object): part is ReferenceObject {
  return '$ref' in part;
}

/** A reference to a schema of the document. */
export function schemaReference(name: string): ReferenceObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** The name of what a reference leads to. */
export function referencedName({ $ref }: ReferenceObject): string {
  return $ref.split('/').at(-1)!;
}

/** Resolves a reference within the document. */
export function resolve<Part extends object>(part: Part | ReferenceObject, document: OpenAPIObject): Part {
  if (!isReference(part)) return part;
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/([\w.-]+)$/.exec(part.$ref) ?? [];
  const components = (document.components ?? {}) as Record<string, Record<string, Part | ReferenceObject> | undefined>;
  const found = components[kind]?.[name];
  if (!found) throw new Error(`the document has no ${part.$ref}`);
  return resolve(found, document);
}

export function parametersOf({ parameters = [] }: OperationObject, document: OpenAPIObject): ParameterObject[] {
  return parameters.map((parameter) => resolve<ParameterObject>(parameter, document));
}
