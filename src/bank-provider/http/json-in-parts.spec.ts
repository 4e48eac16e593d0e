import fc from 'fast-check';
import { tenthOfExamples } from '../../../test/support/tier.js';
import { JsonInParts, wholeOf } from './json-in-parts.js';

/** A text in chunks that end anywhere, in the middle of a character, too. */
function inParts(text: string, chunkBytes = 7, listName: string | null = 'rows') {
  const bytes = Buffer.from(text);
  const json = new JsonInParts(listName);
  for (let at = 0; at < bytes.length; at += chunkBytes) json.add(bytes.subarray(at, at + chunkBytes));
  return json.end();
}

/** Two ids beyond 2^53, which are one number. */
const LONG_IDS = ['9007199254740992', '9007199254740993'];

const parsed = (text: string, chunkBytes?: number) => wholeOf(inParts(text, chunkBytes));

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

/** Any JSON in which "rows" is a name that comes often, and lists of rows lie inside of rows. */
const anyJson = fc.letrec((tie) => ({
  leaf: fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.boolean(), fc.constant(null), fc.constant('"rows":[')),
  list: fc.array(tie('value'), { maxLength: 6 }),
  object: fc.dictionary(
    fc.oneof(fc.constantFrom('rows', 'a"rows', 'row', '7', '\\"rows'), fc.string()),
    fc.oneof(tie('list'), tie('value')),
    { maxKeys: 5 },
  ),
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, tie('leaf'), tie('list'), tie('object')),
})).value;

describe('JsonInParts', () => {
  it('JSON parsed in chunks equals JSON parsed at once, wherever the chunks end', () => {
    fc.assert(
      fc.property(anyJson, fc.integer({ min: 1, max: 40 }), fc.constantFrom(0, 2), (value, chunkBytes, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parsed(text, chunkBytes)).toEqual(JSON.parse(text));
      }),
      { numRuns: tenthOfExamples(500) },
    );
  });

  it('JSON parsed in chunks is rejected exactly if JSON.parse rejects it', () => {
    const sound = '{"a":1,"rows":[{"b":"}"},[2],3],"rows" : [],"c":{"rows":[4]}}';
    fc.assert(
      fc.property(
        fc.nat(sound.length),
        fc.nat(3),
        fc.constantFrom('', ',', ']', '}', '[', '"', '1'),
        (at, cut, more) => {
          const text = sound.slice(0, at) + more + sound.slice(at + cut);
          if (isJson(text)) expect(parsed(text)).toEqual(JSON.parse(text));
          else expect(() => parsed(text)).toThrow(SyntaxError);
        },
      ),
      { numRuns: tenthOfExamples(2_000) },
    );
  });

  it('each list parsed separately is replaced by its number in the body', () => {
    expect(inParts('{"rows":[{"id":1},{"id":2}],"more":{"rows" :\n[]}}')).toEqual({
      body: '{"rows":[0],"more":{"rows" :\n[1]}}',
      lists: { name: 'rows', elements: [[{ id: 1 }, { id: 2 }], []] },
    });
  });

  it('a body without the list to parse separately is returned as text', () => {
    expect(inParts('<html>"rows": über', 1)).toEqual({ body: '<html>"rows": über' });
    expect(inParts('\ufeff{"a":[1]}')).toEqual({ body: '{"a":[1]}' });
    expect(inParts('{"rows":[1]}', 7, null)).toEqual({ body: '{"rows":[1]}' });
  });

  it.each(['accounts', 'rows'])('ids too long for a number are kept as different strings (list %s)', (list) => {
    const text = (id: string) => `{"id": ${id}, "account_id":${id},"Id" :-${id}, "amount": ${id}, "other": 12}`;
    const { [list]: items } = parsed(`{"${list}": [${LONG_IDS.map(text).join(', ')}]}`) as Record<string, object[]>;
    expect(items).toEqual(LONG_IDS.map((id) => ({ id, account_id: id, Id: `-${id}`, amount: Number(id), other: 12 })));
  });

  it('a fraction stays a number if its name only ends like that of an id', () => {
    const text = `{"id":${LONG_IDS[0]},"bid":1.5,"paid":0.1}`;
    expect(parsed(`{"rows":[${text}],"bid":2.5}`)).toEqual({
      rows: [{ id: LONG_IDS[0], bid: 1.5, paid: 0.1 }],
      bid: 2.5,
    });
  });
});
