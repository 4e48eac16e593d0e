import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Drill } from './drill.js';

const ENDING = '.drill.ts';

/** In the order of their sentences. @param names none: all that are not optional. @throws when a name is unknown */
export async function findDrills(names: readonly string[] = []): Promise<Drill[]> {
  const found = readdirSync(fileURLToPath(new URL('.', import.meta.url)))
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length));
  const unknown = names.filter((name) => !found.includes(name));
  if (unknown.length > 0) throw new Error(`There is no drill ${unknown.join(', ')}. There are: ${found.join(' ')}`);
  return (await Promise.all(found.map(load)))
    .filter(({ name, isOptional }) => (names.length > 0 ? names.includes(name) : !isOptional))
    .sort((a, b) => a.sentence - b.sentence || a.name.localeCompare(b.name));
}

async function load(file: string): Promise<Drill> {
  const { drill } = (await import(`./${file}${ENDING}`)) as { drill: Drill };
  if (drill.name !== file) throw new Error(`${file}${ENDING} calls itself ${drill.name}`);
  return drill;
}
