import { DEBIAN_HAS_CITUS } from '../../support/debian-postgres.js';
import { type CitusNodes, createOnNodes, startCitusNodes } from '../../support/citus-nodes.js';
import { ExpectationNotMetError } from '../drill.js';
import type { DrillContext } from '../harness/context.js';

/** A coordinator and workers with an empty database each, not joined yet. @throws ExpectationNotMetError where there is no Citus */
export async function startNodes(context: DrillContext, database: string): Promise<{ nodes: CitusNodes; url: string }> {
  if (!DEBIAN_HAS_CITUS)
    throw new ExpectationNotMetError('not run: Citus is not installed here (test/drills/citus/README.md)');
  const nodes = await startCitusNodes();
  context.onEnd(() => nodes.stop());
  await createOnNodes(nodes, database);
  return { nodes, url: nodes.coordinator.urlOf(database) };
}
