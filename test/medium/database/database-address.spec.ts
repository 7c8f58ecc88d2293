import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../../src/platform/config/settings.js';
import { databaseClient } from '../../../src/platform/database/database-address.js';
import { openDatabase } from '../../../src/platform/database/open-database.js';
import { TenantStatements } from '../../../src/platform/database/statements.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { Logger } from '../../../src/platform/logging/logger.js';
import { SilentRelay } from '../../peers/silent-relay.js';
import { DatabaseContext } from '../../support/database-context.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { startPostgresServer, type PostgresServer } from '../../support/postgres-server.mjs';
import { makeTlsIdentity } from '../../support/tls-identity.js';

interface Line {
  readonly event: string;
  readonly code?: string;
  readonly host?: string;
  readonly port?: number;
}

const lines: Line[] = [];
const logger = Logger.create('info', { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
const open = (DATABASE_URL: string) => openDatabase(readSettings({ DATABASE_URL }), logger);
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'it opened',
    (fault: Error) => fault.message,
  );

describe('a PostgreSQL server with TLS, by an authority of one’s own', () => {
  let server: PostgresServer;
  let folder: string;
  let authority: string;
  let other: string;

  beforeAll(async () => {
    const identity = makeTlsIdentity(['localhost']);
    server = await startPostgresServer('127.0.0.1', {
      files: { 'cert.pem': identity.cert, 'key.pem': identity.key },
      settings: ['ssl=on', 'ssl_cert_file=../cert.pem', 'ssl_key_file=../key.pem'],
    });
    folder = await mkdtemp(join(tmpdir(), 'sutura-tls-'));
    [authority, other] = ['authority.pem', 'other.pem'].map((name) => join(folder, name)) as [string, string];
    await writeFile(authority, identity.cert);
    await writeFile(other, makeTlsIdentity(['localhost']).cert);
  });
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const at = (host: string, parameters: string): string =>
    `${Object.assign(new URL(server.url), { hostname: host }).href}?${parameters}`;

  async function isEncrypted(url: string): Promise<boolean> {
    const client = databaseClient(url);
    await client.connect();
    const { rows } = await client.query<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
    await client.end();
    return rows[0]!.ssl;
  }

  it.each([
    ['127.0.0.1', 'sslmode=verify-full&sslrootcert=AUTHORITY', /is for another host \(ERR_TLS_CERT_ALTNAME_INVALID\)/],
    ['localhost', 'sslmode=verify-full', /not trusted.*sslrootcert/],
    ['localhost', 'sslmode=verify-full&sslrootcert=OTHER', /not trusted.*sslrootcert/],
    ['127.0.0.1', 'sslmode=verify-ca&sslrootcert=OTHER', /not trusted.*sslrootcert/],
    ['127.0.0.1', 'sslmode=require&sslrootcert=OTHER', /not trusted.*sslrootcert/],
    ['127.0.0.1', 'sslmode=require&sslrootcert=/missing.pem', /DATABASE_URL: sslrootcert.*\/missing.pem \(ENOENT\)/],
  ])('at %s with %s is refused in words', async (host, parameters, words) => {
    const named = parameters.replace('AUTHORITY', authority).replace('OTHER', other);
    const refusal = await refusalOf(open(at(host, named)));
    expect(refusal).toMatch(words);
    expect(refusal).not.toContain('sutura-tests');
  });

  it.each([
    ['127.0.0.1', 'sslmode=require'],
    ['127.0.0.1', 'sslmode=prefer'],
    ['127.0.0.1', 'sslmode=verify-ca&sslrootcert=AUTHORITY'],
    ['127.0.0.1', 'sslmode=require&sslrootcert=AUTHORITY'],
    ['localhost', 'sslmode=verify-full&sslrootcert=AUTHORITY'],
  ])('at %s with %s is talked to over TLS', async (host, parameters) => {
    const url = at(host, parameters.replace('AUTHORITY', authority));
    await open(url);
    expect(await isEncrypted(url)).toBe(true);
  });

  it('is migrated and served over TLS alone, by pools too', async () => {
    const url = at('localhost', `sslmode=verify-full&sslrootcert=${authority}`);
    await migrate(url, logger);
    const context = await DatabaseContext.open(url);
    await context.get(TenantStatements).run('select 1');
    const client = databaseClient(url);
    await client.connect();
    const { rows } = await client.query<{ ssl: boolean }>(
      `select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name like 'sutura%'`,
    );
    await client.end();
    expect(rows).toEqual([{ ssl: true }]);
    await context.close();
  });

  it('with sslmode=disable, and without one, is talked to without TLS', async () => {
    expect(await isEncrypted(at('127.0.0.1', 'sslmode=disable'))).toBe(false);
    expect(await isEncrypted(server.url)).toBe(false);
  });
});

describe('a PostgreSQL server without TLS', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgresServer();
  });
  afterAll(() => server?.stop());

  it('is refused in words where sslmode=require asks for it', async () => {
    expect(await refusalOf(open(`${server.url}?sslmode=require`))).toContain('takes no TLS, which sslmode asks for');
  });

  it('is used all the same with sslmode=prefer', async () => {
    expect(await refusalOf(open(`${server.url}?sslmode=prefer`))).toBe('it opened');
  });
});

describe('an address with several hosts', () => {
  let first: PostgresServer;
  let second: PostgresServer;
  beforeAll(async () => {
    [first, second] = await Promise.all([startPostgresServer(), startPostgresServer()]);
  });
  afterAll(async () => {
    await Promise.all([first?.stop(), second?.stop()]);
  });

  const portOf = (url: string): number => Number(new URL(url).port);
  const both = (...ports: number[]): string => {
    const url = new URL(first.url);
    return first.url.replace(url.host, ports.map((port) => `127.0.0.1:${port}`).join(','));
  };
  async function portThatAnswers(url: string): Promise<number> {
    const client = databaseClient(url);
    await client.connect();
    const { rows } = await client.query<{ port: number }>(`select current_setting('port')::int as port`);
    await client.end();
    return rows[0]!.port;
  }

  it('goes by the log from a port that refuses, and one that keeps silent, to the one that answers', async () => {
    const refusing = await freePort();
    const relay = await SilentRelay.start(first.url);
    relay.silence();
    lines.length = 0;
    const url = both(refusing, portOf(relay.url), portOf(second.url));
    await open(url);
    expect(lines.filter(({ event }) => event === 'database.waiting')).toMatchObject([
      { host: '127.0.0.1', port: refusing, code: 'ECONNREFUSED' },
      { host: '127.0.0.1', port: portOf(relay.url), code: 'TIMEOUT' },
    ]);
    expect(JSON.stringify(lines)).not.toContain('sutura-tests');
    expect(await portThatAnswers(url)).toBe(portOf(second.url));
    await relay.stop();
  });

  it('goes to the other server where the first ends, and back where that has become a standby', async () => {
    const url = both(portOf(first.url), portOf(second.url));
    await Promise.all([first, second].map((server) => migrate(server.url, logger)));
    const context = await DatabaseContext.open(url);
    const ask = async () =>
      (await context.get(TenantStatements).run<{ port: number }>(`select current_setting('port')::int as port`))
        .rows[0]!.port;
    expect(await ask()).toBe(portOf(first.url));
    await first.crash();
    await eventually('the second answers', async () => (await ask()) === portOf(second.url));
    await first.startAgain();
    await second.crash();
    await second.startAgain({ standby: true });
    await eventually('the first answers', async () => (await ask()) === portOf(first.url));
    await context.close();
  });
});
