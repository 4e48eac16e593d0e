import { startTidemark, type Tidemark } from '../../../src/kit/testing.js';
import { savingsGoals } from './savings-goals.js';

const PATH = '/api/v1/savings_goals';

describe('a savings goal', () => {
  let tidemark: Tidemark;
  beforeAll(async () => (tidemark = await startTidemark([savingsGoals])));
  afterAll(() => tidemark?.stop());

  it('is open with what the newest balance lacks, and reached when the balance is there', async () => {
    const person = await tidemark.person();
    const [accountId] = await tidemark.bank(person, [{ name: 'Savings', balance: 1_250_00 }]);
    const goal = { account_id: accountId, name: 'Roof', target_cents: 5_000_00 };
    expect((await person.post(PATH, goal)).status).toBe(201);
    const list = async () => (await person.get(PATH)).body.savings_goals;
    expect(await list()).toMatchObject([{ target: '$5,000.00', missing_cents: 3_750_00, state: 'open' }]);
    tidemark.clock.set('2026-03-16T12:00:00Z');
    await tidemark.bank(person, [{ name: 'Savings', balance: 5_100_00 }]);
    await tidemark.settle();
    expect(await list()).toMatchObject([{ missing_cents: 0, state: 'reached' }]);
  });
});
