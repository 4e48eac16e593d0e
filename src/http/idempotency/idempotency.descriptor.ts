import type { Part } from '../../platform/module.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { IdempotencyModule } from './idempotency.module.js';

export const idempotency: Part = {
  name: 'idempotency',
  module: IdempotencyModule,
  entities: [IdempotencyKey],
  notExported: ['idempotency_keys'],
  retention: { idempotency_keys: (em, userId) => em.getRepository(IdempotencyKey).deleteExpired(userId) },
};
