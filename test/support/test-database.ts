import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../../src/platform/database/migrate.js';
import { Logger } from '../../src/platform/logging/logger.js';
import { testServerUrl } from './test-servers.js';

export interface TestDatabase {
  /** As the superuser. */
  readonly url: string;
  drop(): Promise<void>;
}

const TEMPLATE = 'sutura_template';
const TEMPLATE_LOCK = 7_305_099;

/** A fresh migrated database on the run's PostgreSQL: a copy of one that is migrated once per run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return createCopy(await ensureTemplate());
}

/** A fresh database without any table. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createCopy('template0');
}

async function createCopy(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer((client) => client.query(`create database ${name} template ${template}`));
  return {
    url: await addressOf(name),
    drop: () => onServer(async (client) => void (await client.query(`drop database if exists ${name} with (force)`))),
  };
}

/** Test files run in several processes: the first makes the template, the others wait for it. */
function ensureTemplate(): Promise<string> {
  return onServer(async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query(`select from pg_database where datname = '${TEMPLATE}'`);
    if (rowCount !== 0) return TEMPLATE;
    const draft = `${TEMPLATE}_draft`;
    await client.query(`drop database if exists ${draft} with (force)`);
    await client.query(`create database ${draft} template template0`);
    await migrate(await addressOf(draft), Logger.create('silent'));
    await client.query(`alter database ${draft} rename to ${TEMPLATE}`);
    return TEMPLATE;
  });
}

async function onServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: await testServerUrl('postgres') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function addressOf(database: string): Promise<string> {
  const url = new URL(await testServerUrl('postgres'));
  url.pathname = `/${database}`;
  return url.href;
}
