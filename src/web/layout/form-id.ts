import { createHash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { type FormBody, textOf } from '../components/form-body.js';

const FORM_ID = /^[0-9a-f]{64}$/;

/** Parameter decorator: tells a form, as it stands on one rendered page, from all others. Each page has a token of its own. */
export const FormId = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const request = context.switchToHttp().getRequest<Request>();
  const token = textOf(request.body as FormBody, 'form_token');
  return createHash('sha256').update(`${request.path} ${token}`).digest('hex');
});

/** Of the page that shows what came of a form. `null`: it is none. A HEAD request shows nothing to anybody. */
export function formIdIn(value: unknown, { method }: Pick<Request, 'method'>): string | null {
  return method === 'GET' && typeof value === 'string' && FORM_ID.test(value) ? value : null;
}
