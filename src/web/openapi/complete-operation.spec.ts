import type { OpenAPIObject, OperationObject } from '@nestjs/swagger';
import { TAKES_IDEMPOTENCY_KEY } from '../../http/idempotency/idempotency.interceptor.js';
import { completeOperation } from './complete-operation.js';

describe('completeOperation', () => {
  it.each([true, false])('the document of a POST offers an Idempotency-Key if the route takes one: %s', (isTaken) => {
    const taking = isTaken ? { [TAKES_IDEMPOTENCY_KEY]: true } : {};
    const operation = { parameters: [], responses: { 200: { description: 'Done.' } }, ...taking } as OperationObject;
    completeOperation({ path: '/api/v1/notes/search', method: 'post', operation }, {} as OpenAPIObject);
    const names = operation.parameters!.map((parameter) =>
      '$ref' in parameter ? parameter.$ref.split('/').at(-1) : parameter.name,
    );
    expect(names.includes('IdempotencyKey')).toBe(isTaken);
    expect('409' in operation.responses).toBe(isTaken);
    expect(TAKES_IDEMPOTENCY_KEY in operation).toBe(false);
  });
});
