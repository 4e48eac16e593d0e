import { IsolationLevel, type SqlEntityManager } from '@mikro-orm/postgresql';

/** Reads what several statements return as of one moment. In a transaction of the caller it reads there, as that one does. */
export function atOneMoment<T, Em extends SqlEntityManager>(em: Em, read: (em: Em) => Promise<T>): Promise<T> {
  if (em.isInTransaction()) return read(em);
  return em.transactional(read, { isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true });
}
