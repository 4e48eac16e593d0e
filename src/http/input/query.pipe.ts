import { Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { validationFailed } from '../errors/api-error.js';
import { PAGE_PARAMETERS } from '../pagination/page.js';

type QueryClass<T> = new () => T;

/**
 * A query string as an instance of its class, or 422 with every problem. A blank parameter counts as absent; a known
 * parameter given twice or with brackets is refused; an unknown one is ignored.
 */
@Injectable()
export class QueryPipe<T extends object> implements PipeTransform<Record<string, unknown>, T> {
  readonly #names: readonly string[];

  constructor(
    private readonly queryClass: QueryClass<T>,
    names: readonly (keyof T & string)[],
  ) {
    this.#names = names;
  }

  transform(raw: Record<string, unknown>): T {
    const errors: string[] = [];
    const plain: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(raw)) {
      const name = key.replace(/\[.*$/s, '');
      if (!this.#names.includes(name)) continue;
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

function isPaging(name: string): boolean {
  return (PAGE_PARAMETERS as readonly string[]).includes(name);
}

function problemsOf(query: object): string[] {
  return validateSync(query, { forbidUnknownValues: false }).flatMap(({ constraints }) =>
    Object.values(constraints ?? {}),
  );
}
