// A bare node:http server that inserts a resource, or each of a Bundle's in one transaction, as jsonb: nothing validated or indexed, no history.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';

const { databaseUrl, poolSize } = JSON.parse(process.env.BENCH_SETTINGS);
const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize, options: '-c synchronous_commit=on' });
await pool.query('create table floor_resources (type text, id uuid, content jsonb not null, primary key (type, id))');

async function insert(connection, resource) {
  const stored = { ...resource, id: randomUUID(), meta: { versionId: '1', lastUpdated: new Date().toISOString() } };
  await connection.query({
    name: 'insert',
    text: 'insert into floor_resources (type, id, content) values ($1, $2, $3)',
    values: [stored.resourceType, stored.id, JSON.stringify(stored)],
  });
  return stored;
}

async function insertAll(bundle) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const entry = [];
    for (const { resource } of bundle.entry) {
      const { resourceType, id } = await insert(client, resource);
      entry.push({ response: { status: '201 Created', location: `${resourceType}/${id}/_history/1` } });
    }
    await client.query('commit');
    return { resourceType: 'Bundle', type: 'transaction-response', entry };
  } catch (fault) {
    await client.query('rollback');
    throw fault;
  } finally {
    client.release();
  }
}

const server = createServer((request, reply) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    (body.resourceType === 'Bundle' ? insertAll(body) : insert(pool, body)).then(
      (made) =>
        reply
          .writeHead(made.resourceType === 'Bundle' ? 200 : 201, { 'content-type': 'application/fhir+json' })
          .end(JSON.stringify(made)),
      (fault) => reply.writeHead(500).end(fault.message),
    );
  });
});
server.listen(0, '127.0.0.1', () => process.send({ kind: 'ready', url: `http://127.0.0.1:${server.address().port}` }));
process.on('disconnect', () => process.exit(0));
