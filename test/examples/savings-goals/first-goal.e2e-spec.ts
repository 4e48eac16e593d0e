import { createClient, startTestAppWith, type TestApp } from '../../support/app.js';
import { balance, createConnection, snapshotAccount, writeSnapshot } from '../../support/factories.js';
import { savingsGoals } from './savings-goals.descriptor.js';

const PATH = '/api/v1/savings_goals';

describe('a savings goal', () => {
  let tidemark: TestApp;
  beforeAll(async () => (tidemark = await startTestAppWith([savingsGoals])));
  afterAll(() => tidemark.stop());

  it('is listed with what the newest balance lacks', async () => {
    const client = await createClient(tidemark);
    const connection = await createConnection(tidemark, client.userId);
    const { accountId } = await writeSnapshot(tidemark, connection, snapshotAccount({ balance: balance(1_250_00) }));
    const { status } = await client.post(PATH, { account_id: accountId, name: 'Roof', target_cents: 5_000_00 });
    expect(status).toBe(201);
    expect((await client.get(PATH)).body).toMatchObject({
      savings_goals: [{ name: 'Roof', target: '$5,000.00', missing_cents: 3_750_00, due_on: null }],
      pagination: { total_count: 1 },
    });
  });
});
