/** The name itself, or the name with the first free number from 2 on. */
export function numberedName(name: string, taken: readonly string[]): string {
  let free = name;
  for (let count = 2; taken.includes(free); count++) free = `${name} ${count}`;
  return free;
}
