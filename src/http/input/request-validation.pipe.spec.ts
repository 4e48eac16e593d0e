import type { Paramtype } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ApiError } from '../errors/api-error.js';
import { toApiError } from '../errors/to-api-error.js';
import { GivenFlag, GivenSomeOf, GivenText, GivenWhole } from './given.js';
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

class Example {
  @GivenText({ max: 20, optional: true })
  name?: string;

  @GivenSomeOf(['a', 'b'], { optional: true })
  event_types?: ('a' | 'b')[];

  @GivenWhole({ min: 1, max: 9, optional: true })
  count?: number;

  @GivenFlag({ default: true })
  pending: boolean = true;
}

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    return toApiError(error, {} as Request, {} as Response).parts.errors ?? [];
  }
  return [];
}

function nested(levels: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level++) value = level % 2 ? { a: value } : [value];
  return value;
}

describe('RequestValidationPipe', () => {
  it.each([['text 𝒳 \u0001'], [''], [null], [undefined], [1.5], [true], [{ a: [{ b: ['c'] }] }], [nested(32)]])(
    'the value %j passes unchanged',
    (value) => expect(pass(value)).toBe(value),
  );

  it.each([
    [{ name: 'a\0b' }, 'name'],
    [{ name: 'a\ud800b' }, 'name'],
    [{ scopes: ['a', 'b\0'] }, 'scopes[1]'],
    [{ account: { name: '\udc00' } }, 'account.name'],
    [{ ['a\0']: 1 }, 'a\0'],
    [{ list: [{ ['\ud800']: 1 }] }, 'list[0].\ud800'],
    ['\0', 'the text'],
  ])('text that PostgreSQL cannot store is rejected with its path: %j', (value, name) => {
    const { status, message } = refusal(value);
    expect([status, message]).toEqual([422, `${name} must not contain U+0000 or half of a surrogate pair`]);
  });

  it.each([
    ['{"name":{"constructor":{"prototype":{}}}}', 'name.constructor'],
    ['{"event_types":[{"constructor":"x"}]}', 'event_types[0].constructor'],
    ['{"constructor":1}', 'constructor'],
    ['{"name":{"__proto__":{"x":1}}}', 'name.__proto__'],
  ])('a member whose name misleads class-transformer is rejected: %s', (json, name) => {
    const read = () => pipe.transform(JSON.parse(json), { type: 'body', metatype: Example });
    expect(read).toThrow(`${name} is not a member of this body`);
  });

  it.each<[Paramtype, string]>([
    ['body', 'is not a member of this body'],
    ['query', 'is not a parameter of this route'],
  ])('an unknown member of a %s is listed together with all other problems', (type, unknown) => {
    const given = { name: 'a\0', event_types: 'x', ['colour\0']: 'red' };
    const errors = problemsOf(() => pipe.transform(given, { type, metatype: Example }));
    expect([...errors].sort()).toEqual(
      [
        ...['colour\0', 'name'].map((name) => `${name} must not contain U+0000 or half of a surrogate pair`),
        `colour\0 ${unknown}`,
        'event_types must be a list of: a, b',
      ].sort(),
    );
    expect(problemsOf(() => pipe.readQuery(Example, given))).toContain('event_types must be a list of: a, b');
  });

  it('a query parameter named constructor or __proto__ is only listed as unknown', () => {
    const given = Object.assign(Object.create(null) as object, JSON.parse('{"constructor":"1","__proto__":"2"}'));
    expect(problemsOf(() => pipe.transform(given, { type: 'query', metatype: Example }))).toEqual([
      'constructor is not a parameter of this route',
      '__proto__ is not a parameter of this route',
    ]);
  });

  it('texts in a query become what their member is, and texts in a body do not', () => {
    const given = { name: ' x ', event_types: 'a, b', count: '3', pending: 'false' };
    expect(pipe.readQuery(Example, given)).toEqual({ name: 'x', event_types: ['a', 'b'], count: 3, pending: false });
    expect(problemsOf(() => pipe.readBody(Example, given))).toEqual([
      'event_types must be a list of: a, b',
      'count must be a whole number from 1 to 9',
      'pending must be true or false',
    ]);
    expect(pipe.readBody(Example, {})).toEqual({ pending: true });
  });

  it('all problems of a request are listed, up to twenty', () => {
    expect(refusal({ a: '\0', b: 'fine', c: '\0' }).parts.errors).toHaveLength(2);
    expect(refusal(Array.from({ length: 5_000 }, () => '\0')).parts.errors).toHaveLength(20);
  });

  it('a problem names its parameter, but an invalid id in the path is answered with 404', () => {
    expect(refusal('\0', 'query', 'next').message).toMatch(/^next must not/);
    expect(refusal('\0', 'param', 'id').status).toBe(404);
  });

  it('input nested more than 32 levels deep is rejected with 400', () => {
    expect(refusal(nested(33)).status).toBe(400);
    expect(refusal(nested(500_000)).status).toBe(400);
  });

  it('values from custom decorators are not checked', () => expect(pass('\0', 'custom')).toBe('\0'));
});
