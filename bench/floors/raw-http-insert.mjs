// A bare node:http server that makes a job with the statements the gateway needs for it, in one transaction, and nothing else.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';

const { databaseUrl, poolSize } = JSON.parse(process.env.BENCH_SETTINGS);
const pool = new pg.Pool({
  connectionString: databaseUrl,
  max: poolSize,
  options: '-c role=sutura_app -c synchronous_commit=on',
});
const ENVIRONMENT = 'test';
const STATEMENTS = {
  tenant: `select set_config('app.organization', $1, true), set_config('app.environment', $2, true)`,
  image: 'select * from images where id = $1 and organization_id = $2 and environment = $3',
  job: `insert into analysis_jobs (id, organization_id, environment, image_id, source, status, captured_at, created_at, report_id)
    values ($1, $2, $3, $4, 'rest', 'queued', now(), now(), $5) returning id, status, created_at`,
  event: `insert into outbox_events (id, kind, organization_id, environment, subject_id) values ($1, 'analysis.queued', $2, $3, $4)`,
  organization: 'select * from organizations where id = $1',
  charge: `insert into quota_usage (organization_id, day, used) values ($1, (now() at time zone 'UTC')::date, 1)
    on conflict (organization_id, day) do update set used = quota_usage.used + 1 where quota_usage.used < $2::int returning used`,
};

async function createJob(organizationId, { imageId }) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(STATEMENTS.tenant, [organizationId, ENVIRONMENT]);
    const image = await client.query(STATEMENTS.image, [imageId, organizationId, ENVIRONMENT]);
    if (image.rows[0]?.status !== 'stored') throw new Error('no such image');
    const jobId = randomUUID();
    const job = await client.query(STATEMENTS.job, [jobId, organizationId, ENVIRONMENT, imageId, randomUUID()]);
    await client.query(STATEMENTS.event, [randomUUID(), organizationId, ENVIRONMENT, jobId]);
    const { rows } = await client.query(STATEMENTS.organization, [organizationId]);
    const charged = await client.query(STATEMENTS.charge, [organizationId, rows[0].daily_limit_override]);
    await client.query('commit');
    return { ...job.rows[0], used: charged.rows[0].used };
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
    createJob(request.headers['x-organization'], JSON.parse(Buffer.concat(chunks).toString('utf8'))).then(
      (job) => reply.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(job)),
      (fault) => reply.writeHead(500).end(fault.message),
    );
  });
});
server.listen(0, '127.0.0.1', () => process.send({ kind: 'ready', url: `http://127.0.0.1:${server.address().port}` }));
process.on('disconnect', () => process.exit(0));
