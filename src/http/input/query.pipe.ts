import { Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { validationFailed } from '../errors/api-error.js';
import { PAGE_PARAMETERS } from '../pagination/page.js';

type QueryClass<T> = new () => T;

/**
 * A query string as an instance of its class, or 422 with every problem. A blank parameter counts as absent; a parameter
 * that is unknown, or given twice or with brackets is refused.
 */
@Injectable()
export class QueryPipe<T extends object> implements PipeTransform<Record<string, unknown>, T> {
  constructor(
    private readonly queryClass: QueryClass<T>,
    readonly names: readonly (keyof T & string)[],
  ) {}

  transform(raw: Record<string, unknown>): T {
    const errors = unknownNames(raw, this.names).map((name) => `${name} is not a parameter of this route`);
    const plain: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(raw)) {
      const name = key.replace(/\[.*$/s, '');
      if (!(this.names as readonly string[]).includes(name)) continue;
      if (name !== key || typeof value !== 'string') errors.push(`${name} must be given once, as plain text`);
      else if (value.trim() !== '') plain[name] = value.trim();
    }
    const query = plainToInstance(this.queryClass, plain, { exposeDefaultValues: true });
    // Only what is given can be wrong, and paging never is.
    if (!Object.keys(plain).every(isPaging)) errors.push(...problemsOf(query));
    if (errors.length > 0) throw validationFailed(errors);
    return query;
  }
}

/** The names in a query string that are none of a route's, without brackets. */
export function unknownNames(query: object, known: readonly string[]): string[] {
  const names = Object.keys(query).map((name) => name.replace(/\[.*$/s, ''));
  return [...new Set(names)].filter((name) => !known.includes(name));
}

function isPaging(name: string): boolean {
  return (PAGE_PARAMETERS as readonly string[]).includes(name);
}

function problemsOf(query: object): string[] {
  return validateSync(query, { forbidUnknownValues: false }).flatMap(({ constraints }) =>
    Object.values(constraints ?? {}),
  );
}
