import { createHash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '../../errors/domain-error.js';
import { type FormBody, textOf } from '../components/form-body.js';

const FORM_ID = /^[0-9a-f]{64}$/;

/** Parameter decorator: identifies a form on one rendered page. Each page has its own token. */
export const FormId = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const request = context.switchToHttp().getRequest<Request>();
  const token = textOf(request.body as FormBody, 'form_token');
  return createHash('sha256').update(`${request.path} ${token}`).digest('hex');
});

/** The token in the address of the page with a form's result. `null`: it is no such page, or a HEAD request. */
export function formIdIn(value: unknown, { method }: Pick<Request, 'method'>): string | null {
  return method === 'GET' && typeof value === 'string' && FORM_ID.test(value) ? value : null;
}

/** For a form that removes something: sent twice, it finds nothing to remove, and the page that follows shows just that. */
export function ignoreRemoved(error: unknown): void {
  if (!(error instanceof DomainError) || error.code !== 'record_not_found') throw error;
}
