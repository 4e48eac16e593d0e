const DEFAULT_NAMES: Record<string, string> = { us_provider: 'US banks', global_provider: 'Banks worldwide' };

/** What a connection is called that nobody has named, numbered where a person has one of that name already. */
export function defaultName(provider: string, taken: readonly string[] = []): string {
  const name = DEFAULT_NAMES[provider] ?? 'Banks';
  let free = name;
  for (let count = 2; taken.includes(free); count++) free = `${name} ${count}`;
  return free;
}
