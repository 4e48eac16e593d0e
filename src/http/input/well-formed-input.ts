import type { ArgumentMetadata } from '@nestjs/common';
import { recordNotFound, validationFailed } from '../../errors/domain-error.js';
import { ApiError } from '../errors/api-error.js';

/** Deeper than any body of a route, and shallow enough for recursive code. */
const MAX_DEPTH_LEVELS = 32;
const MAX_PROBLEMS = 20;
const MAX_NAME_CHARS = 100;

const BAD_TEXT = 'must not contain U+0000 or half of a surrogate pair';

interface Part {
  value: unknown;
  /** `scopes`, or 2 for the third element of a list; the root has its own name, `''` for a body or query. */
  key: string | number;
  /** The enclosing value; `null` for the root. */
  within: Part | null;
  depthLevels: number;
}

/**
 * Refuses a handler argument that PostgreSQL cannot store, U+0000 or lone surrogates, with 422, and one that is nested
 * too deep with 400.
 */
export function assertWellFormed(value: unknown, { type, data = '' }: ArgumentMetadata): void {
  const problems = problemsOf({ value, key: data, within: null, depthLevels: 0 });
  if (problems.length === 0) return;
  // A malformed id is answered like an unknown one.
  throw type === 'param' ? recordNotFound('record') : validationFailed(problems);
}

/** Iterative, because the value may be nested deeper than the stack. */
function problemsOf(whole: Part): string[] {
  const problems: string[] = [];
  const parts = [whole];
  for (let part = parts.pop(); part && problems.length < MAX_PROBLEMS; part = parts.pop()) {
    const { value, depthLevels } = part;
    if (typeof value === 'string') {
      if (!isStorable(value)) problems.push(`${nameOf(part) || 'the text'} ${BAD_TEXT}`);
    } else if (typeof value === 'object' && value !== null) {
      if (depthLevels >= MAX_DEPTH_LEVELS) {
        throw new ApiError('bad_request', `The body is nested deeper than ${MAX_DEPTH_LEVELS} levels.`);
      }
      if (!Array.isArray(value) && !Object.keys(value).every(isStorable)) {
        problems.push(`the name of a member ${BAD_TEXT}`);
      }
      for (const [key, member] of membersOf(value)) {
        parts.push({ value: member, key, within: part, depthLevels: depthLevels + 1 });
      }
    }
  }
  return problems;
}

function membersOf(value: object): Iterable<[string | number, unknown]> {
  return Array.isArray(value) ? (value as unknown[]).entries() : Object.entries(value as Record<string, unknown>);
}

/** The name in a message: `name`, `scopes[2]`, `account.name`. Built for invalid values only. */
function nameOf({ key, within }: Part): string {
  if (!within) return String(key);
  const outer = nameOf(within);
  const name = typeof key === 'number' ? `${outer}[${key}]` : outer ? `${outer}.${key}` : key;
  return name.slice(0, MAX_NAME_CHARS);
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
