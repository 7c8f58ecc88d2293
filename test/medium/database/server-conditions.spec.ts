import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import { TenantStatements } from '../../../src/platform/database/statements.js';
import { readSettings } from '../../../src/platform/config/settings.js';
import { openDatabase } from '../../../src/platform/database/open-database.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { Logger } from '../../../src/platform/logging/logger.js';
import { PoolerPeer, type PoolerHabit } from '../../peers/pooler-peer.js';
import { DatabaseContext } from '../../support/database-context.js';
import { startPostgresServer, type PostgresServer } from '../../support/postgres-server.mjs';

const logger = Logger.create('silent');
/** A database that may come back is waited for 20 s and 60 s. */
const AT_ONCE_MS = 5000;

describe('a PostgreSQL server of the operator’s own', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgresServer();
  });
  afterAll(() => server?.stop());

  const asSuperuser = async (...statements: string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };

  /** An account with a database of its own, as `create database … owner …` makes it; its address. */
  const createAccount = async (attributes = ''): Promise<{ readonly account: string; readonly url: string }> => {
    const account = `owner_${randomBytes(4).toString('hex')}`;
    await asSuperuser(
      `create role ${account} login password 'secret' ${attributes}`,
      `create database ${account} owner ${account}`,
    );
    const url = new URL(server.url);
    Object.assign(url, { username: account, password: 'secret', pathname: `/${account}` });
    return { account, url: url.href };
  };

  const startsAndServes = async (url: string): Promise<void> => {
    await migrate(url, logger);
    const context = await DatabaseContext.open(url);
    expect((await context.get(TenantStatements).run('select current_user::text as role')).rows).toEqual([
      { role: 'sutura_app' },
    ]);
    await context.close();
  };

  /** What the operator is told, and how soon. */
  const refusalOf = async (start: Promise<unknown>): Promise<string> => {
    const begun = performance.now();
    const refusal = await start.then(
      () => 'it started',
      (error: Error) => error.message,
    );
    expect(performance.now() - begun).toBeLessThan(AT_ONCE_MS);
    return refusal;
  };

  const open = (url: string): Promise<unknown> => openDatabase(readSettings({ DATABASE_URL: url }), logger);

  describe('and an account without CREATEROLE', () => {
    it('is told which statements to run, where nothing was prepared', async () => {
      const { account, url } = await createAccount();
      expect(await refusalOf(migrate(url, logger))).toContain(
        `create role sutura_app nologin; create role sutura_system nologin; grant sutura_app, sutura_system to ${account};`,
      );
    });

    it('starts after the three statements of docs/deployment.md, to the letter, and again', async () => {
      const { account, url } = await createAccount();
      const documented =
        /`(create role sutura_app nologin;[^`]*)`/.exec(
          readFileSync(resolve(__dirname, '../../../docs/deployment.md'), 'utf8'),
        )?.[1] ?? '';
      expect(documented.split(';').filter((part) => part.trim() !== '')).toHaveLength(3);
      await asSuperuser(documented.replace('<user>', account));
      await startsAndServes(url);
      await startsAndServes(url);
    });

    it('starts where CREATEROLE was taken away after the first start', async () => {
      const { account, url } = await createAccount('createrole');
      // PostgreSQL 16 and newer let an account grant only roles that it made or administers.
      await asSuperuser(`grant sutura_app, sutura_system to ${account} with admin option`);
      await startsAndServes(url);
      await asSuperuser(
        `alter role ${account} nocreaterole`,
        `revoke admin option for sutura_app, sutura_system from ${account}`,
      );
      await startsAndServes(url);
    });
  });

  it.each<[PoolerHabit]>([['refuses options'], ['drops options']])(
    'behind a connection pooler that %s is refused at once, by name',
    async (habit) => {
      const { url } = await createAccount('superuser');
      const pooler = await PoolerPeer.start(url, habit);
      expect(await refusalOf(open(pooler.url))).toMatch(
        /connection pooler.*DATABASE_URL name the PostgreSQL server itself/,
      );
      await pooler.stop();
    },
  );

  it('is refused at once where the address has options of its own', async () => {
    const { url } = await createAccount();
    expect(await refusalOf(open(`${url}?options=-c%20lock_timeout%3D1s`))).toContain(
      'DATABASE_URL carries "options" of its own',
    );
  });

  it('is refused at once where its account may only read', async () => {
    const { account, url } = await createAccount();
    await asSuperuser(`alter role ${account} set default_transaction_read_only = on`);
    expect(await refusalOf(open(url))).toContain('read-only');
  });

  it('is refused at once where it is a standby', async () => {
    await server.crash();
    await server.startAgain({ standby: true });
    expect(await refusalOf(open(server.url))).toContain('standby');
    expect(await refusalOf(migrate(server.url, logger))).toContain('standby');
  });
});
