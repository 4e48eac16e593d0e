import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

/** The parameters of a query class: each property that class-validator knows. */
export function queryParametersOf(queryClass: Type): ReadonlySet<string> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(queryClass, '', false, false);
  return new Set(rules.map(({ propertyName }) => propertyName));
}

/** The names in a query string, without brackets, that are not among the known ones. */
export function unknownNames(query: object, known: ReadonlySet<string>): string[] {
  const names = new Set(Object.keys(query).map(withoutBrackets));
  return [...names].filter((name) => !known.has(name));
}

/**
 * The known parameters as plain text. A blank one counts as absent. One that is unknown, repeated or has brackets is a
 * problem.
 */
export function plainParameters(
  query: Record<string, unknown>,
  known: ReadonlySet<string>,
): { parameters: Record<string, string>; problems: string[] } {
  const problems = unknownNames(query, known).map(notAParameter);
  const parameters: Record<string, string> = {};
  for (const [key, value] of Object.entries(query)) {
    const name = withoutBrackets(key);
    if (!known.has(name)) continue;
    if (name !== key || typeof value !== 'string') problems.push(`${name} must be given once, as plain text`);
    else if (value.trim() !== '') parameters[name] = value.trim();
  }
  return { parameters, problems };
}

export function notAParameter(name: string): string {
  return `${name} is not a parameter of this route`;
}

function withoutBrackets(key: string): string {
  return key.replace(/\[.*$/s, '');
}
