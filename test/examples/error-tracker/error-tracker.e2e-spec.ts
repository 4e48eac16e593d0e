import { jest } from '@jest/globals';
import { startTidemark, type Tidemark } from '../../../src/kit/testing.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { errorTracker, tracker } from './error-tracker.js';

describe('an error tracker as a module', () => {
  let tidemark: Tidemark;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    tidemark = await startTidemark([errorTracker], { database: database.address });
  });
  afterAll(async () => {
    await tidemark.stop();
    await database.drop();
  });

  it('the error tracker gets what a handler throws, and not what a client did wrong', async () => {
    const captured = jest.spyOn(tracker, 'captureException');
    const person = await tidemark.person();
    expect((await person.get('/api/v1/accounts/unknown')).status).toBe(404);
    expect(captured).not.toHaveBeenCalled();
    await tidemark.em().execute('alter table holdings rename to holdings_away');
    expect((await person.get('/api/v1/holdings')).status).toBe(500);
    expect(captured).toHaveBeenCalledTimes(1);
  });
});
