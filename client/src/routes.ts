import type { components, paths } from './document.js';

/** The records and bodies of the API by their names: `Schemas['Balance']`. */
export type Schemas = components['schemas'];

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that have a method. */
export type PathsOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];

type Operation<P extends keyof paths, M extends Method> = paths[P][M];

type Success = 200 | 201 | 202;

type JsonOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;

/** The body of a route's success. */
export type Answer<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { responses: infer R }
    ? { [S in keyof R & Success]: JsonOf<R[S]> }[keyof R & Success]
    : never;

type ParametersOf<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { parameters: infer Parameters } ? Parameters : never;

type PathOf<Parameters> = Parameters extends { path: infer Path } ? { path: Path } : { path?: never };
type QueryOf<Parameters> = Parameters extends { query?: infer Query } ? { query?: Query } : { query?: never };
type BodyOf<Op> = Op extends { requestBody: { content: { 'application/json': infer Body } } }
  ? { body: Body }
  : Op extends { requestBody: { content: { 'multipart/form-data': unknown } } }
    ? { body: FormData }
    : { body?: never };

export interface CallOptions {
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** For POST and PUT: the same key for the same request. Absent: a new one, which retries keep. */
  idempotencyKey?: string;
}

/** The parameters, body and options of a request. */
export type Parts<P extends keyof paths, M extends Method> = PathOf<ParametersOf<P, M>> &
  QueryOf<ParametersOf<P, M>> &
  BodyOf<Operation<P, M>> &
  CallOptions;

/** The argument may be left out where nothing in it is required. */
export type Arguments<T> = Record<never, never> extends T ? [parts?: T] : [parts: T];

/** The lists, which come in pages. */
export type ListPath = {
  [P in PathsOf<'get'>]: Answer<P, 'get'> extends { pagination: unknown } ? P : never;
}[PathsOf<'get'>];

type LastPart<P extends string> = P extends `${string}/${infer Rest}` ? LastPart<Rest> : P;

/** The lists whose pages name their records as the path does: `/api/v1/balances` has `balances`. */
export type RecordsPath = {
  [P in ListPath]: LastPart<P> extends keyof Answer<P, 'get'> ? P : never;
}[ListPath];

export type RecordOf<P extends RecordsPath> =
  Answer<P, 'get'> extends Record<LastPart<P>, (infer Item)[]> ? Item : never;
