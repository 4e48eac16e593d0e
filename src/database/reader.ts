import type { SqlEntityManager } from '@mikro-orm/postgresql';

/**
 * The entity manager to read entities with, inside a transaction or not: the injected one keeps what it reads only in a
 * transaction. Everything else works with the injected one as it is, which follows the transaction of its caller.
 */
export function reader<Manager extends SqlEntityManager>(em: Manager): Manager {
  // eslint-disable-next-line no-restricted-syntax -- the one place that forks
  return em.isInTransaction() ? em : em.fork();
}
