import { queryDatabase } from './database-query.js';

/**
 * How many statements of a database wait for another's lock. Asked by a connection of its own: within a transaction PostgreSQL goes on
 * listing the connections that there were when it was first asked, and one that was opened since is never seen to wait.
 */
export async function lockWaitsOf(databaseUrl: string): Promise<number> {
  const rows = await queryDatabase<{ count: number }>(
    databaseUrl,
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]!.count;
}
