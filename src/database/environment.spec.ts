import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { readConfig } from '../platform/config/config.js';
import { clientConfig } from './address.js';
import { ormOptions } from './orm-options.js';

const EMBEDDED = { host: '/run/tidemark', port: 5432, user: 'tidemark', dbName: 'tidemark' };

describe('environment variables of other programs', () => {
  const set: string[] = [];
  const setVariable = (name: string, value: string) => {
    process.env[name] = value;
    set.push(name);
  };
  afterEach(() => set.splice(0).forEach((name) => delete process.env[name]));

  it('MikroORM ignores its own environment variables, which would print statements into the output of commands', () => {
    setVariable('MIKRO_ORM_DEBUG', 'true');
    setVariable('MIKRO_ORM_SCHEMA', 'elsewhere');
    setVariable('MIKRO_ORM_CLIENT_URL', 'postgresql://elsewhere/other');
    const { config } = new MikroORM(ormOptions(EMBEDDED, readConfig([], [], { DATABASE_URL: '' }).database));
    const { debug, schema, clientUrl } = config.getAll();
    expect([debug, schema]).toEqual([false, 'public']);
    expect(clientUrl).not.toContain('elsewhere');
  });

  it('sessions of the embedded PostgreSQL ignore the environment variables of libpq', () => {
    setVariable('PGOPTIONS', '-c default_transaction_read_only=on');
    setVariable('PGSSLMODE', 'require');
    const { connectionParameters } = new pg.Client(clientConfig(EMBEDDED)) as unknown as {
      connectionParameters: { options: string; ssl: boolean };
    };
    expect([connectionParameters.options.trim(), connectionParameters.ssl]).toEqual(['', false]);
  });
});
