import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { readConfig } from '../config/config.js';
import { clientConfig } from './address.js';
import { ormOptions } from './orm-options.js';

const EMBEDDED = { host: '/run/tidemark', port: 5432, user: 'tidemark', dbName: 'tidemark' };

describe('variables of the environment that are about other programs', () => {
  const set: string[] = [];
  const setVariable = (name: string, value: string) => {
    process.env[name] = value;
    set.push(name);
  };
  afterEach(() => set.splice(0).forEach((name) => delete process.env[name]));

  it('are none of MikroORM, which would print statements between the answers of commands', () => {
    setVariable('MIKRO_ORM_DEBUG', 'true');
    setVariable('MIKRO_ORM_SCHEMA', 'elsewhere');
    setVariable('MIKRO_ORM_CLIENT_URL', 'postgresql://elsewhere/other');
    const { config } = new MikroORM(ormOptions(EMBEDDED, readConfig([], { DATABASE_URL: '' }).database));
    const { debug, schema, clientUrl } = config.getAll();
    expect([debug, schema]).toEqual([false, 'public']);
    expect(clientUrl).not.toContain('elsewhere');
  });

  it('are none of libpq for the sessions of the embedded PostgreSQL', () => {
    setVariable('PGOPTIONS', '-c default_transaction_read_only=on');
    setVariable('PGSSLMODE', 'require');
    const { connectionParameters } = new pg.Client(clientConfig(EMBEDDED)) as unknown as {
      connectionParameters: { options: string; ssl: boolean };
    };
    expect([connectionParameters.options.trim(), connectionParameters.ssl]).toEqual(['', false]);
  });
});
