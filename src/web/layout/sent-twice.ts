import { hash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Session } from '../../auth/sessions.service.js';
import type { IdempotencyKeysService } from '../../http/idempotency/idempotency-keys.service.js';
import { DomainError } from '../../platform/domain-error.js';
import { type Fields, textOf } from '../components/form-fields.js';
import type { ShownOnce } from '../components/shown-once.js';

const FORM_ID = /^[0-9a-f]{64}$/;

/** Parameter decorator: identifies a form on one rendered page. Each page has its own token. */
export const FormId = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const request = context.switchToHttp().getRequest<Request>();
  const token = textOf(request.body as Fields, 'form_token');
  return hash('sha256', `${request.path} ${token}`, 'hex');
});

/** @param formId from the address of the page. A HEAD request takes nothing. */
export async function takeShown<Made extends object>(
  forms: IdempotencyKeysService,
  { userId }: Session,
  formId: unknown,
  { method }: Request,
): Promise<ShownOnce<Made>> {
  if (method !== 'GET' || typeof formId !== 'string' || !FORM_ID.test(formId)) return null;
  return (await forms.takeResult<Made>({ userId, formId })) ?? 'shown-before';
}

/** For a form that removes something: when it is sent twice, what it removes is gone already, which is no error. */
export function ignoreRemoved(error: unknown): void {
  if (!(error instanceof DomainError) || error.code !== 'record_not_found') throw error;
}
