import type { Paramtype } from '@nestjs/common';
import { IsOptional, IsString } from 'class-validator';
import type { Request, Response } from 'express';
import type { ApiError } from '../errors/api-error.js';
import { toApiError } from '../errors/to-api-error.js';
import { RequestValidationPipe } from './request-validation.pipe.js';

const pipe = new RequestValidationPipe();
const pass = (value: unknown, type: Paramtype = 'body', data?: string) => pipe.transform(value, { type, data });

function refusal(value: unknown, type: Paramtype = 'body', data?: string): ApiError {
  try {
    pass(value, type, data);
  } catch (error) {
    return toApiError(error, {} as Request, {} as Response);
  }
  throw new Error('the value was accepted');
}

function nested(levels: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level++) value = level % 2 ? { a: value } : [value];
  return value;
}

describe('well-formed input', () => {
  it.each([['text 𝒳 \u0001'], [''], [null], [undefined], [1.5], [true], [{ a: [{ b: ['c'] }] }], [nested(32)]])(
    'may be %j, as it is',
    (value) => expect(pass(value)).toBe(value),
  );

  it.each([
    [{ name: 'a\0b' }, 'name'],
    [{ name: 'a\ud800b' }, 'name'],
    [{ scopes: ['a', 'b\0'] }, 'scopes[1]'],
    [{ account: { name: '\udc00' } }, 'account.name'],
    [{ ['a\0']: 1 }, 'the name of a member'],
    [{ list: [{ ['\ud800']: 1 }] }, 'the name of a member'],
    ['\0', 'the text'],
  ])('has no text that PostgreSQL cannot store: %j', (value, name) => {
    const { status, message } = refusal(value);
    expect([status, message]).toEqual([422, `${name} must not contain U+0000 or half of a surrogate pair`]);
  });

  it.each([
    '{"name":{"constructor":{"prototype":{}}}}',
    '{"event_types":[{"constructor":"x"}]}',
    '{"constructor":1}',
    '{"name":{"__proto__":{"x":1}}}',
  ])('has no member whose name misleads class-transformer: %s', (json) => {
    class Body {
      @IsOptional()
      @IsString()
      name?: string;

      @IsOptional()
      @IsString({ each: true })
      event_types?: string[];
    }
    const read = () => pipe.transform(JSON.parse(json), { type: 'body', metatype: Body });
    expect(read).toThrow('the name of a member must not be constructor or __proto__');
  });

  it('gets all of its problems, but not thousands', () => {
    expect(refusal({ a: '\0', b: 'fine', c: '\0' }).parts.errors).toHaveLength(2);
    expect(refusal(Array.from({ length: 5_000 }, () => '\0')).parts.errors).toHaveLength(20);
  });

  it('is named by its parameter, and an id that cannot be one names nothing', () => {
    expect(refusal('\0', 'query', 'next').message).toMatch(/^next must not/);
    expect(refusal('\0', 'param', 'id').status).toBe(404);
  });

  it('is nested no deeper than code can follow', () => {
    expect(refusal(nested(33)).status).toBe(400);
    expect(refusal(nested(500_000)).status).toBe(400);
  });

  it('is not what our own decorators give', () => expect(pass('\0', 'custom')).toBe('\0'));
});
