import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DrillPostgres } from '../drills/harness/postgres.js';
import { freePort } from './free-port.js';

/** A server that takes sessions over the network with TLS only. */
export interface TlsPostgres {
  server: DrillPostgres;
  /** The authority of its certificate, which is for `localhost` alone. */
  authority: string;
  /** Another one, whose certificate it does not have. */
  stranger: string;
  /** @param query of the URL, as in `sslmode=require` */
  urlOf: (query: string, host?: string) => string;
}

const RULES = ['local all all trust', 'hostssl all all 127.0.0.1/32 trust', ''];

/** @param folder a new one */
export async function startTlsPostgres(folder: string): Promise<TlsPostgres> {
  await mkdir(folder, { mode: 0o700 });
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const authority = (name: string) => {
    const made = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    openssl('req', ...made, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.crt`);
    return join(folder, `${name}.crt`);
  };
  const trusted = authority('authority');
  const request = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=localhost'];
  openssl('req', ...request, '-keyout', 'server.key', '-out', 'server.csr');
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost\n');
  const signed = [
    '-CA',
    'authority.crt',
    '-CAkey',
    'authority.key',
    '-CAcreateserial',
    '-days',
    '2',
    '-extfile',
    'names',
  ];
  openssl('x509', '-req', '-in', 'server.csr', ...signed, '-out', 'server.crt');
  writeFileSync(join(folder, 'rules'), RULES.join('\n'));
  const port = await freePort();
  const server = await DrillPostgres.start(
    join(folder, 'server'),
    100,
    [
      ...['ssl=on', `ssl_cert_file=${join(folder, 'server.crt')}`, `ssl_key_file=${join(folder, 'server.key')}`],
      ...['listen_addresses=127.0.0.1', `hba_file=${join(folder, 'rules')}`],
    ],
    port,
  );
  const urlOf = (query: string, host = 'localhost') => `postgresql://tidemark@${host}:${port}/tidemark?${query}`;
  return { server, authority: trusted, stranger: authority('stranger'), urlOf };
}
