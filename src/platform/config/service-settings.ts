import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { secretTexts } from './app-secret-text.js';
import {
  absolutePath,
  baseUrl,
  cron,
  flag,
  httpUrl,
  integer,
  list,
  oneOf,
  orNull,
  PROVIDER_ALLOW_PRIVATE_NETWORK,
  schemeOf,
} from './environment-values.js';
import { hostPatterns } from './host-patterns.js';

const ADDRESS_RANGES: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isAddressRange(text: string): boolean {
  if (ADDRESS_RANGES.has(text)) return true;
  const [address = '', prefix = '1', ...rest] = text.split('/');
  // Express compares addresses without their zone, and cannot read every zone.
  const bits = address.includes('%') ? 0 : ({ 4: 32, 6: 128 }[isIP(address)] ?? 0);
  // Express refuses a prefix of 0, which trusts everybody.
  return rest.length === 0 && /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits;
}

const addressRanges = list.refine(
  (ranges) => ranges.every(isAddressRange),
  `must be a list of addresses, CIDR ranges with a prefix of at least 1, or the words ${[...ADDRESS_RANGES].join(', ')}`,
);

/** What a server can listen on. An address becomes the shortest spelling. */
const listenHost = z
  .string()
  .refine(
    // A name of digits alone is an address with a mistake in it.
    (text) => isIP(text) !== 0 || (/^[\w-]+(?:\.[\w-]+)*\.?$/.test(text) && !/^[\d.]+$/.test(text)),
    'must be an address or a name, without brackets, scheme and port',
  )
  .transform((text) => (ipaddr.isValid(text) ? ipaddr.parse(text).toString() : text));

/** The path of a host, without a slash at its end. */
const basePath = z
  .string()
  .regex(/^(?:\/[\w.~-]+)*\/?$/, 'must be a path like /tidemark')
  .transform((path) => path.replace(/\/$/, ''));

/** As browsers send them in `Origin`. */
const origins = list.refine(
  (all) => all.every((one) => /^https?:$/.test(schemeOf(one)) && new URL(one).origin === one && !one.includes('*')),
  'must be a list of origins like https://board.example, with scheme, without path, in lower case',
);

/** Files that a database's URL may name. */
const TLS_FILES = ['sslrootcert', 'sslcert', 'sslkey'];
/** What else pg knows about TLS. It ignores other names, so that a misspelt one would leave sessions unencrypted. */
const TLS_PARAMETERS: ReadonlySet<string> = new Set([...TLS_FILES, 'ssl', 'sslmode', 'sslnegotiation']);

const databaseUrl = z
  .string()
  .refine((text) => ['postgres:', 'postgresql:'].includes(schemeOf(text)) && isDecodable(text), {
    message:
      'must be a postgresql:// address; in its user, password and database % is %25, # is %23, / is %2F and ? is %3F',
    abort: true,
  })
  .refine(
    (text) => TLS_FILES.every((name) => isReadable(new URL(text).searchParams.get(name))),
    `names a file in ${TLS_FILES.join(', ')} that cannot be read`,
  )
  .refine(
    (text) =>
      [...new URL(text).searchParams.keys()].every((name) => !/ssl|tls/i.test(name) || TLS_PARAMETERS.has(name)),
    `has an unknown parameter; those of TLS are ${[...TLS_PARAMETERS].join(', ')}`,
  );

function isDecodable(url: string): boolean {
  try {
    const { username, password, hostname, pathname } = new URL(url);
    // Each for itself, since a character may not begin in one part and end in the next.
    for (const part of [username, password, hostname, pathname]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

function isReadable(path: string | null): boolean {
  if (!path) return true;
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * All settings, except those of the database's sessions and of providers. Each is set by the variable of its name: `dataDir`
 * by DATA_DIR. The default is written as the variable would be, and the description is what `.env.example` says of it
 * (`npm run env:example`).
 */
export const SERVICE_SETTINGS = z.object({
  port: integer(0, 65535).prefault('3000').describe('Where it listens; PORT=0 picks a free port.'),
  host: listenHost.prefault('127.0.0.1'),
  allowedHosts: hostPatterns()
    .prefault('')
    .describe(
      'Host names that browsers and clients use for this service, besides localhost, *.localhost, loopback addresses and HOST. A list without ports; *.example.org = every name below example.org. Requests for any other host get 421.',
    ),
  trustedProxies: addressRanges
    .prefault('')
    .describe(
      "The reverse proxies in front: addresses, CIDR ranges, or the words loopback, linklocal, uniquelocal. Their X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host count; nobody else's do.",
    ),
  basePath: basePath
    .prefault('')
    .describe(
      'The path under which a reverse proxy serves this service, such as /tidemark; the proxy may strip it or not. Empty: the service has a host name of its own.',
    ),
  corsOrigins: origins
    .prefault('')
    .describe(
      'Origins whose pages may call the API from a browser, with a key and never with cookies: a list like https://board.example,http://localhost:8080. Empty: none.',
    ),
  dataDir: absolutePath
    .prefault('./.data')
    .describe('Where the embedded PostgreSQL has its files and generated secrets are kept.'),
  databaseUrl: orNull(databaseUrl).describe(
    'A PostgreSQL server, version 15 or newer, or a pooler in front of it that pools sessions. Over a network with ?sslmode=verify-full, and &sslrootcert=/path/ca.crt where the certificate is of an authority of your own. Empty: the embedded PostgreSQL in DATA_DIR.',
  ),
  databaseDirectUrl: orNull(databaseUrl).describe(
    'Where DATABASE_URL names a pooler that pools transactions: the server itself, for migrations, the job queue, backups and for hearing other instances.',
  ),
  appSecret: orNull(secretTexts).describe(
    'Required with DATABASE_URL: encrypts provider credentials. Make one with: openssl rand -base64 32. Empty: generated in DATA_DIR. A list "new,old" rotates it: the first one seals, all of them open, and a start seals everything anew with the first. With several instances: first "old,new" on all of them, then "new,old" on all, then "new".',
  ),
  appSecretFile: orNull(absolutePath).describe(
    "A file that has it, instead: for systemd's LoadCredential and for secrets of containers.",
  ),
  retentionDays: integer(1, 36_500)
    .prefault('90')
    .describe(
      'How many days the service keeps what it writes about itself, such as its syncs. Accounts, transactions, what banks have reported and the balances derived from that stay for good.',
    ),
  syncCron: cron
    .prefault('17 */6 * * *')
    .describe(
      'When automatic sync looks for due connections, in UTC (5 or 6 fields); off = this instance schedules nothing.',
    ),
  syncConcurrency: integer(1, 100)
    .prefault('4')
    .describe("Connections synced at once by one instance; one person's are at most half of them."),
  maxConnectionsPerPerson: integer(1, 10_000).prefault('50').describe('Connections that one person may have.'),
  maxTransactionsPerPerson: integer(5_000, 100_000_000)
    .prefault('2000000')
    .describe(
      'Transactions of one person that are stored; one account may have a fifth of them, earlier versions included. A sync that would bring more leaves the account as it is and says so.',
    ),
  syncDeadlineMs: integer(100, 2_400_000)
    .prefault('1800000')
    .describe('How long one sync may ask its provider in all, 40 minutes at most; what came by then is kept.'),
  role: oneOf('api', 'worker', 'all').prefault('all').describe('What this instance does: api, worker or all.'),
  providerAllowPrivateNetwork: PROVIDER_ALLOW_PRIVATE_NETWORK,
  providerTimeoutMs: integer(100, 600_000).prefault('60000').describe('Limit of one whole request to a provider.'),
  clockCheck: oneOf('on', 'off')
    .prefault('on')
    .transform((text) => text === 'on')
    .describe(
      "off: this instance also works while its clock differs from the database's by more than 5 s. For rehearsals with a moved clock only.",
    ),
  shutdownDrainMs: integer(0, 600_000)
    .prefault('5000')
    .describe(
      'How long a stopping instance still serves, while /health/ready is 503, so that load balancers turn away first. Skipped when nobody has asked /health/ready in the last minute.',
    ),
  metricsPort: orNull(integer(0, 65535)).describe(
    'A port of their own for the metrics. Empty: at /metrics, for callers on this machine only.',
  ),
  otelExporterOtlpEndpoint: orNull(baseUrl).describe(
    'Where an OpenTelemetry collector takes traces by OTLP over http, such as http://localhost:4318. Empty: no traces.',
  ),
  maxEventStreams: integer(1, 10_000)
    .prefault('500')
    .describe('Event streams open at a time: of one instance, of one person, of one API key.'),
  maxEventStreamsPerPerson: integer(1, 10_000).prefault('20'),
  maxEventStreamsPerKey: integer(1, 10_000).prefault('10'),
  idleReaderTimeoutMs: integer(100, 600_000)
    .prefault('60000')
    .describe(
      'A connection on which nothing moves for so long is closed, such as that of a client that does not read its answer.',
    ),
  exportDeadlineMs: integer(100, 86_400_000).prefault('1800000').describe('How long one export may take in all.'),
  rateLimitPerMinute: integer(0, 1_000_000)
    .prefault('600')
    .describe(
      'Requests a minute of one API key, and of one person on the web pages; ten times as many of one client address for requests without a valid key or session. 0 = off.',
    ),
  signUp: oneOf('invitation', 'open')
    .prefault('invitation')
    .describe(
      'Who may sign up on the web pages besides the first person: invitation (a link made in the settings) or open. Where HOST is not a loopback address and SIGN_UP is not open, the first one needs the link that the start prints.',
    ),
  sourceUrl: orNull(httpUrl).describe(
    'Where people find the source code of the version you run; linked at the foot of every page. The license (AGPL-3.0, section 13) promises it to everybody who uses a version that you changed.',
  ),
  sandbox: flag.prefault('0').describe('1: serves the sandbox provider under /sandbox of this process.'),
  logLevel: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')
    .prefault('info')
    .describe('fatal, error, warn, info, debug, trace or silent'),
});

/** The values of {@link SERVICE_SETTINGS}. */
export type ServiceSettings = z.output<typeof SERVICE_SETTINGS>;
