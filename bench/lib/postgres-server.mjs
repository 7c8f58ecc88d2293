import pg from 'pg';
import { startPostgresServer } from '../../test/support/postgres-server.mjs';

/**
 * A PostgreSQL of the bench's own, on the disk, with the safe defaults: fsync and synchronous_commit stay on for everybody.
 *
 * @param {string | undefined} [address] at which it listens, and lets others of its network in, where it is not 127.0.0.1
 */
export async function startPostgres(address) {
  const server = await startPostgresServer(address, { onDisk: true });
  let made = 0;
  return {
    /** A fresh, empty database; its address. */
    async createDatabase() {
      made += 1;
      const name = `bench_${made}`;
      await query(server.url, `create database ${name} template template0`);
      const address = new URL(server.url);
      address.pathname = `/${name}`;
      return address.href;
    },
    stop: () => server.stop(),
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
