import type { DrillContext } from './context.js';
import { Person } from './person.js';
import type { DrillPostgres } from './postgres.js';
import type { DrillService } from './service.js';
import { OpenStream } from './streams.js';

export interface TwoInstances {
  postgres: DrillPostgres;
  here: DrillService;
  there: DrillService;
  /** Signed up here. */
  person: Person;
}

export async function startTwoInstances(
  context: DrillContext,
  settings: NodeJS.ProcessEnv = {},
): Promise<TwoInstances> {
  const postgres = await context.startPostgres();
  const here = await context.startService(postgres, settings);
  const there = await context.startService(postgres, settings);
  return { postgres, here, there, person: await Person.signUp(here) };
}

/** An event stream by a key. @throws when it does not begin */
export async function follow(context: DrillContext, { url }: DrillService, key: string): Promise<OpenStream> {
  const stream = await OpenStream.open(`${url}/api/v1/events`, { 'X-Api-Key': key });
  context.onEnd(() => stream.close());
  if (stream.status !== 200) throw new Error(`the event stream was answered ${stream.status}`);
  return stream;
}
