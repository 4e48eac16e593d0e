import { readFileSync } from 'node:fs';
import { readConfig } from '../../src/platform/config/config.js';
import { MODULES } from '../../src/modules.js';
import { PROVIDERS } from '../../src/providers/installed.js';
import { environmentExample } from '../support/environment-example.js';
import { StartupError } from '../../src/platform/config/startup-error.js';

const read = (environment: NodeJS.ProcessEnv) => readConfig(PROVIDERS, MODULES, {}, environment);

/** Values of the variables of all providers. */
const settings = (environment: NodeJS.ProcessEnv) =>
  Object.assign({}, ...read(environment).providers.map((provider) => provider.settings));

function refusal(environment: NodeJS.ProcessEnv): StartupError {
  try {
    read(environment);
  } catch (error) {
    if (error instanceof StartupError) return error;
  }
  throw new Error('the environment was accepted');
}

describe('environment variables', () => {
  it('proxy variables that are set are named, since no request uses them', () => {
    const { unusedProxies } = read({ HTTPS_PROXY: 'http://proxy:3128', all_proxy: 'socks5://proxy', NO_PROXY: '*' });
    expect(unusedProxies).toEqual(['HTTPS_PROXY', 'all_proxy']);
  });

  it('one port for two servers is refused', () => {
    expect(refusal({ PORT: '3000', METRICS_PORT: '3000' }).message).toContain('METRICS_PORT must differ from PORT');
    expect(read({ PORT: '0', METRICS_PORT: '0' }).metricsPort).toBe(0);
  });

  it('more sessions than the embedded PostgreSQL has are refused', () => {
    expect(refusal({ DATABASE_POOL_MAX: '181' }).message).toContain('DATABASE_POOL_MAX must be at most 180');
    expect(read({ DATABASE_POOL_MAX: '180' }).database.poolMax).toBe(180);
  });

  it('the defaults of the environment variables are those of the specification', () => {
    expect(read({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      allowedHosts: [],
      trustedProxies: [],
      corsOrigins: [],
      databaseUrl: null,
      databaseDirectUrl: null,
      appSecret: null,
      retentionDays: 90,
      syncCron: '17 */6 * * *',
      syncConcurrency: 4,
      syncDeadlineMs: 1_800_000,
      role: 'all',
      providerAllowPrivateNetwork: false,
      providerTimeoutMs: 60_000,
      shutdownDrainMs: 5_000,
      rateLimitPerMinute: 600,
      sandbox: false,
      logLevel: 'info',
    });
    expect(settings({})).toMatchObject({ USPROVIDER_ALLOWED_HOSTS: ['*.simplefin.org'] });
  });

  it('CORS_ORIGINS are normalized as browsers send them', () => {
    expect(read({ CORS_ORIGINS: 'https://a.example, http://localhost:8080' }).corsOrigins).toEqual([
      'https://a.example',
      'http://localhost:8080',
    ]);
    for (const CORS_ORIGINS of ['*', 'https://a.example/', 'a.example', 'https://A.example', 'https://a.example:443'])
      expect(refusal({ CORS_ORIGINS }).message).toContain('  CORS_ORIGINS must be a list of origins');
  });

  it('every wait for the database has a limit', () => {
    const { database } = read({});
    expect(database).toMatchObject({ poolMax: 20, connectTimeoutMs: 5_000 });
    const limits = { statementTimeoutMs: 10_000, lockTimeoutMs: 5_000, idleInTransactionTimeoutMs: 30_000 };
    expect(database.limits.request).toEqual(limits);
    expect(refusal({ DATABASE_LOCK_TIMEOUT_MS: '0' }).message).toContain(
      '  DATABASE_LOCK_TIMEOUT_MS must be from 100 to',
    );
  });

  it('DATABASE_POOL_MAX must be large enough for SYNC_CONCURRENCY', () => {
    const many = { SYNC_CONCURRENCY: '30' };
    expect(refusal(many).message).toContain('  DATABASE_POOL_MAX must be at least 44 with SYNC_CONCURRENCY=30');
    expect(read({ ...many, DATABASE_POOL_MAX: '44' }).database.poolMax).toBe(44);
  });

  it('GLOBALPROVIDER_BASE_URL must be an https URL unless private networks are allowed', () => {
    const plain = { GLOBALPROVIDER_BASE_URL: 'http://127.0.0.1:3000/sandbox/' };
    expect(refusal(plain).message).toContain('  GLOBALPROVIDER_BASE_URL must be an https address');
    expect(settings({ ...plain, PROVIDER_ALLOW_PRIVATE_NETWORK: '1' })).toMatchObject({
      GLOBALPROVIDER_BASE_URL: 'http://127.0.0.1:3000/sandbox',
    });
  });

  it.each([
    ['TRUSTED_PROXIES', 'loopback, 10.0.0.0/8, 192.0.2.7, fd00::/8, ::1'],
    ['ALLOWED_HOSTS', 'money.example.org, *.example.org, nas, 192.168.1.5, [fd00::5]'],
    ['USPROVIDER_ALLOWED_HOSTS', '*'],
    ['USPROVIDER_ALLOWED_HOSTS', '*.simplefin.org, bridge.example, [fd00::5]'],
    ['HOST', 'nas.example.org'],
    ['HOST', 'fe80::1%br-lan'],
    ['SOURCE_URL', 'https://git.example/?p=tidemark.git'],
  ])('the value of %s may be %s', (name, value) => expect(() => read({ [name]: value })).not.toThrow());

  it.each([
    ...['everybody', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::1/129', '300.0.0.1', '*'].map((value) => ({
      name: 'TRUSTED_PROXIES',
      value,
    })),
    ...['0.0.0.0/0', '::/0', 'fe80::1%br-lan'].map((value) => ({ name: 'TRUSTED_PROXIES', value })),
    ...['https://money.example.org', 'money.example.org:443', '*', 'a b', '*.*.org', 'fd00::5'].map((value) => ({
      name: 'ALLOWED_HOSTS',
      value,
    })),
    ...['[::::]', '300.0.0.1', '*.5'].map((value) => ({ name: 'ALLOWED_HOSTS', value })),
    ...['https://x', 'bridge.example:443', '::1', '*.*'].map((value) => ({ name: 'USPROVIDER_ALLOWED_HOSTS', value })),
    { name: 'CORS_ORIGINS', value: 'https://*.example.org' },
  ])('$name with the value $value is refused', ({ name, value }) =>
    expect(refusal({ [name]: value }).message).toContain(`  ${name} must be a list of`),
  );

  it.each(['[::1]', 'http://127.0.0.1', '127.0.0.1:3000', '*', '300.1.1.1', '127.0.0'])(
    'the address %s is refused for HOST',
    (HOST) =>
      expect(refusal({ HOST }).message).toContain(
        '  HOST must be an address or a name, without brackets, scheme and port',
      ),
  );

  it('ALLOWED_HOSTS are normalized as requests name them', () => {
    expect(read({ HOST: 'FD00:0::5' }).host).toBe('fd00::5');
    expect(read({ HOST: '::0' }).host).toBe('::');
    expect(read({ ALLOWED_HOSTS: 'NAS, [FD00:0::5], [::ffff:10.0.0.5]' }).allowedHosts).toEqual([
      ...['nas', '[fd00::5]', '[::ffff:a00:5]'],
    ]);
    expect(settings({ USPROVIDER_ALLOWED_HOSTS: 'Bridge.example, *' })).toMatchObject({
      USPROVIDER_ALLOWED_HOSTS: ['bridge.example', '*'],
    });
  });

  it.each(['OTEL_EXPORTER_OTLP_ENDPOINT', 'GLOBALPROVIDER_BASE_URL'])(
    'a URL to which no path can be added is refused for %s',
    (name) => {
      for (const end of ['?key=1', '#part']) {
        const { message } = refusal({ [name]: `https://bank.example/api${end}` });
        expect(message).toContain(`  ${name} must be an address without ? and #`);
      }
    },
  );

  it('an environment variable set to an empty text counts as not set', () => {
    expect(read({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 3000, databaseUrl: null });
  });

  it('a start with invalid environment variables lists all of them and exits with code 78', () => {
    const { message, exitCode } = refusal({
      PORT: '70000',
      SYNC_CRON: 'often',
      ROLE: 'boss',
      SANDBOX: 'yes',
      SYNC_CONCURRENCY: '1.5',
    });
    expect(exitCode).toBe(78);
    for (const name of ['PORT', 'SYNC_CRON', 'ROLE', 'SANDBOX', 'SYNC_CONCURRENCY'])
      expect(message).toContain(`  ${name} `);
  });

  it('contradictions between environment variables are listed beside single invalid values', () => {
    const { message } = refusal({
      ...{ PORT: 'abc', DATABASE_CONNECT_TIMEOUT_MS: 'x', DATABASE_URL: 'postgresql://db/x' },
      ...{ GLOBALPROVIDER_DEBUG_RAW: 'x', GLOBALPROVIDER_BASE_URL: 'http://bank.example' },
      ...{ SYNC_CONCURRENCY: '30' },
    });
    expect(message.match(/^ {2}[A-Z_]+/gm)?.sort()).toEqual([
      '  APP_SECRET',
      '  DATABASE_CONNECT_TIMEOUT_MS',
      '  DATABASE_POOL_MAX',
      '  GLOBALPROVIDER_BASE_URL',
      '  GLOBALPROVIDER_DEBUG_RAW',
      '  PORT',
    ]);
  });

  it('no contradiction is reported with an environment variable that is invalid by itself', () => {
    const wrong = {
      ...{ DATABASE_URL: 'db', DATABASE_DIRECT_URL: 'postgresql://db/x' },
      ...{ APP_SECRET: 'short', SYNC_CONCURRENCY: '30', DATABASE_POOL_MAX: 'x' },
      ...{
        PORT: 'x',
        METRICS_PORT: 'y',
        GLOBALPROVIDER_BASE_URL: 'http://bank.example',
        PROVIDER_ALLOW_PRIVATE_NETWORK: 'x',
      },
    };
    const names = [
      'APP_SECRET',
      'DATABASE_POOL_MAX',
      'DATABASE_URL',
      'METRICS_PORT',
      'PORT',
      'PROVIDER_ALLOW_PRIVATE_NETWORK',
    ];
    const { message } = refusal(wrong);
    expect(message.match(/^ {2}[A-Z_]+/gm)?.sort()).toEqual(names.map((name) => `  ${name}`));
    expect(refusal({ DATABASE_URL: 'postgresql://db/x', APP_SECRET: 'short' }).message).not.toContain('is required');
  });

  it('invalid variables of the service and of a provider are in one list, each once', () => {
    const { message } = refusal({ PORT: 'x', GLOBALPROVIDER_DEBUG_RAW: 'x', PROVIDER_ALLOW_PRIVATE_NETWORK: 'x' });
    expect(message.match(/^ {2}[A-Z_]+/gm)?.sort()).toEqual([
      '  GLOBALPROVIDER_DEBUG_RAW',
      '  PORT',
      '  PROVIDER_ALLOW_PRIVATE_NETWORK',
    ]);
  });

  it('an external database needs its own APP_SECRET, and no error repeats a value', () => {
    const database = { DATABASE_URL: 'postgresql://app:hunter2@db/tidemark' };
    expect(refusal(database).message).toMatch(/APP_SECRET is required with DATABASE_URL/);
    const short = refusal({ ...database, APP_SECRET: 'shortsecret' });
    expect(short.message).toMatch(/APP_SECRET must have at least 16 characters/);
    expect(short.message).not.toMatch(/shortsecret|hunter2/);
  });

  it('DATABASE_DIRECT_URL is accepted only together with the URL of a pooler', () => {
    const direct = { DATABASE_DIRECT_URL: 'postgresql://app@db/tidemark' };
    expect(refusal(direct).message).toContain('  DATABASE_DIRECT_URL requires DATABASE_URL');
    const pooler = { DATABASE_URL: 'postgresql://app@pooler/tidemark', APP_SECRET: 'a secret of 16 and more' };
    expect(read({ ...pooler, ...direct }).databaseDirectUrl).toBe(direct.DATABASE_DIRECT_URL);
  });

  it('an unreadable certificate is refused before any session is opened', () => {
    const url = (file: string) => ({
      DATABASE_URL: `postgresql://app@db/tidemark?sslmode=verify-full&sslrootcert=${file}`,
    });
    const secret = { APP_SECRET: 'a secret of 16 and more' };
    for (const file of ['/none/ca.crt', 'src'])
      expect(refusal({ ...url(file), ...secret }).message).toContain(
        '  DATABASE_URL names a file in sslrootcert, sslcert, sslkey that cannot be read',
      );
    expect(read({ ...url('package.json'), ...secret })).toMatchObject({
      databaseUrl: url('package.json').DATABASE_URL,
    });
  });

  it.each(['ssl_mode=verify-full', 'SSLMODE=verify-full', 'sslcrl=/etc/ca.crl'])(
    '%s is refused in a database URL, since pg ignores it and the session would not be protected as it says',
    (parameter) => {
      const { message } = refusal({ DATABASE_URL: `postgresql://app@db/tidemark?${parameter}` });
      expect(message).toContain(
        '  DATABASE_URL has an unknown parameter; those of TLS are sslrootcert, sslcert, sslkey, ssl, sslmode, sslnegotiation',
      );
    },
  );

  it.each(['100%', 'half#half', 'a/b', 'a?b'])('the error of a password like %s says how to encode it', (password) => {
    const url = `postgresql://app:${password}@db/tidemark`;
    const { message } = refusal({ DATABASE_URL: url, APP_SECRET: 'a secret of 16 and more' });
    expect(message).toContain(
      '  DATABASE_URL must be a postgresql:// address; in its user, password and database % is %25',
    );
    expect(message).not.toContain(password);
    const encoded = url.replace(password, encodeURIComponent(password));
    expect(read({ DATABASE_URL: encoded, APP_SECRET: 'a secret of 16 and more' }).databaseUrl).toBe(encoded);
    for (const DATABASE_URL of ['postgresql://app@db/100%', 'postgresql://a%c3:%a4@db/x', 'postgresql://app@%ff/x'])
      expect(refusal({ DATABASE_URL }).message).toContain('password and database % is %25');
  });

  it('APP_SECRET can be read from a file instead, but not from both', () => {
    const database = { DATABASE_URL: 'postgresql://app@db/tidemark', APP_SECRET_FILE: '/run/secrets/tidemark' };
    expect(read(database)).toMatchObject({ appSecret: null, appSecretFile: '/run/secrets/tidemark' });
    const both = refusal({ ...database, APP_SECRET: 'a secret of 16 and more' });
    expect(both.message).toContain('  APP_SECRET must not be set together with APP_SECRET_FILE');
  });

  it('APP_SECRET can be a rotation list, newest first', () => {
    expect(read({ APP_SECRET: 'new-secret-of-16+, old-secret-of-16+' }).appSecret).toEqual([
      'new-secret-of-16+',
      'old-secret-of-16+',
    ]);
  });

  it.each(['often', '* * * *', '99 1 * * *', '0 0 30 2 *'])('the cron expression %s is refused', (cron) => {
    expect(() => read({ SYNC_CRON: cron })).toThrow('SYNC_CRON must be a cron expression of a moment that comes');
  });

  it.each(['17 */6 * * *', '0 */15 * * * *'])('the cron expression %s is accepted', (cron) => {
    expect(read({ SYNC_CRON: cron }).syncCron).toBe(cron);
  });

  it('a schedule set to off schedules nothing', () => {
    expect(read({ SYNC_CRON: 'off' }).syncCron).toBeNull();
  });

  it('.env.example equals the output of npm run env:example', () => {
    const text = readFileSync('.env.example', 'utf8');
    expect(text).toBe(environmentExample());
    const listed = Object.fromEntries(
      [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value]) => [name, value]),
    );
    expect(read(listed)).toEqual(read({}));
  });
});
