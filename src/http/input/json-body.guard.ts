import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { validationFailed } from '../../platform/domain-error.js';
import { ApiError } from '../errors/api-error.js';
import { notAMember, objectExpected } from './request-validation.pipe.js';
import { readUpload, uploadOf } from './upload.js';

/** The largest bodies carry a secret of 4,096 characters. */
const MAX_BODY_BYTES = 16 * 1024;
/** Bodies of clients have a few dozen. Validating a value costs far more than parsing it. */
const MAX_VALUES = 1_000;
const SEPARATORS: ReadonlySet<number> = new Set(Buffer.from(',[{'));

/** A body of these methods has no meaning (RFC 9110) and is not read. */
const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE']);

/**
 * Reads the JSON body of an API request, or the form with a file of a route that takes one. It runs after the API key guard, so that nothing is read or parsed for a
 * client without a valid key, and 401, 429 and 403 take precedence over errors of the body. Where a route takes a body,
 * the validation pipe refuses unknown members; one that takes none refuses them here.
 */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  readonly #parse: RequestHandler = express.json({ limit: MAX_BODY_BYTES, verify: refuseManyValues });

  canActivate(context: ExecutionContext): true | Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (BODYLESS.has(request.method)) return true;
    const upload = uploadOf(context.getHandler());
    if (upload) return readUpload(request, http.getResponse<Response>(), upload).then(() => true);
    // Some clients name the type of a form where they send no body.
    if (request.is('application/json') === false && request.headers['content-length'] !== '0') {
      throw new ApiError('unsupported_media_type', 'Send a JSON object with Content-Type: application/json.');
    }
    refuseLargeBody(request, MAX_BODY_BYTES);
    return this.#read(request, http.getResponse<Response>()).then(() => {
      if (!takesBody(context)) refuseMembers(request.body);
      return true;
    });
  }

  #read(request: Request, response: Response): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (error?: Error & { type?: string }) => {
        if (error?.type === 'entity.verify.failed') reject(new ApiError('payload_too_large', error.message));
        else if (error) reject(error);
        else resolve();
      };
      void this.#parse(request, response, done as NextFunction);
    });
  }
}

/** Whether the handler has the body among its arguments, or the whole request. */
function takesBody(context: ExecutionContext): boolean {
  const { name } = context.getHandler();
  const routeArguments = (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), name) ?? {}) as object;
  const kinds = [RouteParamtypes.BODY, RouteParamtypes.REQUEST];
  return Object.keys(routeArguments).some((key) => kinds.some((kind) => key.startsWith(`${kind}:`)));
}

/** @param body `undefined`: none was sent */
function refuseMembers(body: unknown = {}): void {
  if (Array.isArray(body)) throw objectExpected();
  const names = Object.keys(body as object);
  if (names.length > 0) throw validationFailed(names.map(notAMember));
}

/**
 * Runs before the body is parsed. Separators within texts count, too: which bytes are text depends on the encoding
 * (UTF-16).
 */
function refuseManyValues(_request: unknown, _response: unknown, body: Buffer): void {
  let separators = 0;
  for (const byte of body) if (SEPARATORS.has(byte)) separators++;
  if (separators > MAX_VALUES) throw new Error(`The body has more than ${MAX_VALUES.toLocaleString('en')} values.`);
}

/** Refuses a body by its announced length. The parsers would read all of it before they answer. */
export function refuseLargeBody({ headers }: Request, maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) <= maxBytes) return;
  throw new ApiError('payload_too_large', 'The body is larger than this service accepts.');
}
