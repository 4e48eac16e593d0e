import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../src/database/migrate.js';
import { afterThisTest } from './after-this-test.js';
import { addressOf, onServer } from './database.js';

describe('migrations', () => {
  it('run once when several instances start together', async () => {
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    await onServer(`create database ${name}`);
    afterThisTest(() => onServer(`drop database ${name} with (force)`));
    const address = addressOf(name);
    await Promise.all([migrate(address), migrate(address), migrate(address)]);
    const client = new pg.Client('clientUrl' in address ? address.clientUrl : { ...address, database: name });
    await client.connect();
    afterThisTest(() => client.end());
    const { rows } = await client.query('select name, count(*)::int as times from migrations group by name');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ times }) => times === 1)).toBe(true);
  });
});
