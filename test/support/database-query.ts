import { Client, type QueryConfig } from 'pg';

export type Query = <Row extends object>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

type KeptClient = Client & { ref(): void; unref(): void };

/**
 * What the last single statement went over, for the next one to the same database: a connection takes longer than most
 * statements. It keeps no process alive, ends with the file, and is forgotten once its server has ended it.
 */
let kept: { readonly url: string; readonly client: KeptClient } | null = null;
/** The file's own hooks at its end come later, and may still look. */
let isOver = false;
afterAll(async () => {
  isOver = true;
  await kept?.client.end().catch(() => undefined);
  kept = null;
});

/** What says something to its session, or several things in turn, leaves nothing to the next. */
const OF_ITS_SESSION = /^\s*(set|reset|begin|lock|prepare|create temp|listen|with off)|;|set_config|advisory/i;

/** One statement as the database's superuser, past every row policy. For looking after the fact, not for the product's own paths. */
export async function queryDatabase<Row extends object>(
  databaseUrl: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  if (isOver || OF_ITS_SESSION.test(sql)) return withQuery(databaseUrl, (query) => query<Row>(sql, values));
  const client = await takeKept(databaseUrl);
  try {
    const { rows } = await client.query<Row>(sql, [...values]);
    await keep(databaseUrl, client);
    return rows;
  } catch (fault) {
    await client.end().catch(() => undefined);
    throw fault;
  }
}

/** Several such statements over one connection. */
export async function withQuery<T>(databaseUrl: string, look: (query: Query) => Promise<T>): Promise<T> {
  const client = await connect(databaseUrl);
  try {
    return await look(async <Row extends object>(sql: string, values: readonly unknown[] = []) => {
      const { rows } = await client.query<Row>(sql, [...values]);
      return rows;
    });
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  await client.connect();
  return client;
}

/** Nobody else's until it is kept again. Asked first whether it still answers: its server may have ended it unseen. */
async function takeKept(url: string): Promise<KeptClient> {
  const held = kept;
  if (held?.url === url) {
    kept = null;
    held.client.ref();
    if (await answers(held.client)) return held.client;
  }
  const client = (await connect(url)) as KeptClient;
  client.on('error', () => {
    if (kept?.client === client) kept = null;
  });
  return client;
}

function answers(client: Client): Promise<boolean> {
  return client.query({ text: 'select', query_timeout: 5000 } as QueryConfig).then(
    () => true,
    () => false,
  );
}

async function keep(url: string, client: KeptClient): Promise<void> {
  const former = kept;
  client.unref();
  kept = { url, client };
  await former?.client.end().catch(() => undefined);
}
