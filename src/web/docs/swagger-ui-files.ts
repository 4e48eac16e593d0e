import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { RequestHandler } from 'express';
import { isSafeMethod } from '../../http/safe-method.js';
import { SharedAnswer } from '../../http/shared-answer.js';

/** What docs.mjs loads. */
const TYPES = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui-standalone-preset.js', 'text/javascript; charset=utf-8'],
]);

const CACHE_CONTROL = 'public, max-age=300';

const { resolve } = createRequire(import.meta.resolve('@nestjs/swagger'));

/** Serves the large files of Swagger UI. They are read when first asked for: few visitors open it. */
export function serveSwaggerUiFiles(): RequestHandler {
  const files = new Map<string, SharedAnswer>();
  return (request, response, next) => {
    const name = request.path.slice(1);
    const type = TYPES.get(name);
    if (!type || !isSafeMethod(request)) return next();
    let file = files.get(name);
    if (!file) {
      file = new SharedAnswer(readFileSync(resolve(`swagger-ui-dist/${name}`)), type, CACHE_CONTROL);
      files.set(name, file);
    }
    return file.send(request, response);
  };
}
