import { Client } from 'pg';

export type Query = <Row extends object>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

/** One statement as the database's superuser, past every row policy. For looking after the fact, not for the product's own paths. */
export function queryDatabase<Row extends object>(
  databaseUrl: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return withQuery(databaseUrl, (query) => query<Row>(sql, values));
}

/** Several such statements over one connection: a connection for each of hundreds takes far longer than they do. */
export async function withQuery<T>(databaseUrl: string, look: (query: Query) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
  await client.connect();
  try {
    return await look(async <Row extends object>(sql: string, values: readonly unknown[] = []) => {
      const { rows } = await client.query<Row>(sql, [...values]);
      return rows;
    });
  } finally {
    await client.end();
  }
}
