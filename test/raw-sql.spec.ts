import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TEMPLATE = /\bsql(?:<[^`]*?>)?`/;
/** A statement in a string, as prepared statements and sessions take it. */
const STATEMENT = /[`'"]\s*(?:select|insert into|update \S+ set|delete from|with \w+ as)\s/;
/** Their sessions are those of the driver, which knows statements in strings only. */
const OF_THE_DRIVER = /^src\/(?:backup|database|doctor)\//;
/** A comment that begins with "Raw" and says why: "Raw, because amounts are cast". */
const REASON = /\bRaw\b[^.`]{0,60}?\b(?:because|since|for|where|like)\b/;

/** What the guide to modules builds is held to the same. */
const ROOTS = ['src', 'test/examples'];

const files = ROOTS.flatMap((root) => readdirSync(root, { recursive: true }).map((file) => join(root, String(file))))
  .filter((file) => /\.tsx?$/.test(file) && !/migrations|\/\d{14}-|spec\.ts/.test(file))
  .filter((file) => {
    const text = readFileSync(file, 'utf8');
    return TEMPLATE.test(text) || (STATEMENT.test(text) && !OF_THE_DRIVER.test(file));
  });

describe('raw SQL', () => {
  it('is there to look at', () => expect(files.length).toBeGreaterThan(10));

  it.each(files)('in %s has its reason', (file) => {
    const comments = readFileSync(file, 'utf8').match(/\/\*\*[^]*?\*\/|\/\/.*(?:\n\s*\/\/.*)*/g) ?? [];
    const texts = comments.map((comment) => comment.replace(/\s*\n\s*(?:\*|\/\/)\s?/g, ' '));
    expect(texts.some((text) => REASON.test(text))).toBe(true);
  });
});
