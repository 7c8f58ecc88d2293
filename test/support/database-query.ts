import { Client } from 'pg';

export type Query = <Row extends object>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

/** A single statement that leaves nothing behind in its session. */
const LEAVES_NO_TRACE = /^\s*(select|with|insert|update|delete)\b[^;]*$/i;
const SQL_CODE = /^(?=.*\d)[0-9A-Z]{5}$/;
/** The server shuts down, crashed, or starts. */
const SERVER_ENDED_IT = ['57P01', '57P02', '57P03'];
const KEPT_FOR_ONE_DATABASE = 4;

/** The package's types lack what its own pool uses. */
type KeptClient = Client & { ref(): void; unref(): void };
/** Of all files that this worker runs, each of which evaluates this module anew. */
const KEPT = Symbol.for('sutura.tests.connections');
/** By address. They end with their database: whoever drops it ends its sessions. */
const kept = ((process as { [KEPT]?: Map<string, KeptClient[]> })[KEPT] ??= new Map<string, KeptClient[]>());

/**
 * One statement as the database's superuser, past every row policy. For looking after the fact, not for the product's own paths.
 * A connection costs ten times what most statements do, and tests ask again and again: it is kept for the next one.
 */
export async function queryDatabase<Row extends object>(
  databaseUrl: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  if (!LEAVES_NO_TRACE.test(sql)) return withQuery(databaseUrl, (query) => query<Row>(sql, values));
  const idle = kept.get(databaseUrl)?.pop();
  if (idle === undefined) return askOver(databaseUrl, await connect(databaseUrl), sql, values);
  idle.ref();
  return askOver<Row>(databaseUrl, idle, sql, values).catch(async (fault: unknown) => {
    if (!hasEnded(fault)) throw fault;
    return askOver<Row>(databaseUrl, await connect(databaseUrl), sql, values);
  });
}

/** Several such statements over one connection of their own, which may set something for its session. */
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

async function connect(databaseUrl: string): Promise<KeptClient> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 }) as KeptClient;
  client.on('error', () => forget(databaseUrl, client));
  client.on('end', () => forget(databaseUrl, client));
  await client.connect();
  return client;
}

async function askOver<Row extends object>(
  databaseUrl: string,
  client: KeptClient,
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  try {
    const { rows } = await client.query<Row>(sql, [...values]);
    keep(databaseUrl, client);
    return rows;
  } catch (fault) {
    if (hasEnded(fault)) await client.end().catch(() => undefined);
    else keep(databaseUrl, client);
    throw fault;
  }
}

function hasEnded(fault: unknown): boolean {
  const { code = '' } = fault as { code?: string };
  return !SQL_CODE.test(code) || SERVER_ENDED_IT.includes(code);
}

function keep(databaseUrl: string, client: KeptClient): void {
  const idle = kept.get(databaseUrl) ?? [];
  kept.set(databaseUrl, idle);
  if (idle.length >= KEPT_FOR_ONE_DATABASE) return void client.end();
  // A run may end meanwhile.
  client.unref();
  idle.push(client);
}

function forget(databaseUrl: string, client: KeptClient): void {
  const others = (kept.get(databaseUrl) ?? []).filter((one) => one !== client);
  if (others.length === 0) kept.delete(databaseUrl);
  else kept.set(databaseUrl, others);
}
