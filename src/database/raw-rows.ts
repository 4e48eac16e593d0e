import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';

/** The rows of a statement that is plain SQL, in the transaction of `em` if there is one. */
export async function rawRows<Row>(em: SqlEntityManager, text: string, values: readonly unknown[]): Promise<Row[]> {
  return (await em.getKysely().executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;
}
