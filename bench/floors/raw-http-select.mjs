// A bare node:http server that reads one job by id and organization, and nothing else.
import { createServer } from 'node:http';
import pg from 'pg';

const { databaseUrl, poolSize } = JSON.parse(process.env.BENCH_SETTINGS);
const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
const SELECT = 'select * from analysis_jobs where id = $1 and organization_id = $2';

const server = createServer((request, reply) => {
  const jobId = request.url.slice(request.url.lastIndexOf('/') + 1);
  pool.query(SELECT, [jobId, request.headers['x-organization']]).then(
    ({ rows }) =>
      reply
        .writeHead(rows.length === 1 ? 200 : 404, { 'content-type': 'application/json' })
        .end(JSON.stringify(rows[0] ?? null)),
    (fault) => reply.writeHead(500).end(fault.message),
  );
});
server.listen(0, '127.0.0.1', () => process.send({ kind: 'ready', url: `http://127.0.0.1:${server.address().port}` }));
process.on('disconnect', () => process.exit(0));
