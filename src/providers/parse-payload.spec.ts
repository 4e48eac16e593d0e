import { z } from 'zod';
import { check, parsePayload } from './parse-payload.js';

const SCHEMA = z.object({ accounts: z.array(z.object({ id: z.string(), 'balance-date': z.number().nullish() })) });

describe('parsePayload', () => {
  it('a valid payload is returned without unknown properties', () => {
    const body = '{"accounts":[{"id":"A","more":1}],"else":2}';
    expect(parsePayload(SCHEMA, { body }, 'The answer')).toEqual({ accounts: [{ id: 'A' }] });
  });

  it.each([
    ['', /The answer is empty/],
    ['  \n', /The answer is empty/],
    ['<!doctype html><p>Back soon', /The answer is a web page; the provider may be under maintenance/],
    ['error code: 1020', /The answer is not JSON/],
    ['{"accounts":[{"id":', /The answer is cut off or damaged/],
    ['[]', /not as expected at \$: /],
    ['{"accounts":{}}', /not as expected at \$\.accounts: .*expected array/],
    [
      '{"accounts":[{"id":"A"},{"id":7}]}',
      /not as expected at \$\.accounts\[1\]\.id: .*expected string, received number/,
    ],
  ])('the invalid payload %j is reported as a validation issue with its JSON path', (body, message) => {
    expect(() => parsePayload(SCHEMA, { body }, 'The answer')).toThrow(message);
    expect(() => parsePayload(SCHEMA, { body }, 'The answer')).toThrow(
      expect.objectContaining({ kind: 'unexpected_reply' }),
    );
  });

  it('a validation issue never quotes the payload', () => {
    const body = '{"accounts":[{"id":"A","balance-date":"hunter2"}]}';
    expect(() => parsePayload(SCHEMA, { body }, 'The answer')).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
    );
  });

  it('ids too long for a number are kept as different strings, and other numbers stay numbers', () => {
    const ids = ['9007199254740992', '9007199254740993'];
    const text = (id: string) =>
      `{"id": ${id}, "account_id":${id},"Id" :-${id}, "amount": ${id}, "bid":1.5, "paid":0.1}`;
    const body = `{"rows": [${ids.map(text).join(', ')}]}`;
    expect(parsePayload(z.unknown(), { body }, 'The answer')).toEqual({
      rows: ids.map((id) => ({ id, account_id: id, Id: `-${id}`, amount: Number(id), bid: 1.5, paid: 0.1 })),
    });
  });

  it('a part of a payload is checked with its JSON path in the whole', () => {
    expect(check(SCHEMA, { accounts: [{}] }, '$.banks[4]').issue).toMatch(/^\$\.banks\[4\]\.accounts\[0\]\.id: /);
    expect(check(z.string(), 'x')).toEqual({ value: 'x', issue: null });
  });
});
