// A bare loop that posts signed bodies from a table, in order: one lane for each endpoint, one select, one request, one update for each body.
import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import pg from 'pg';

const { databaseUrl, url, endpoints } = JSON.parse(process.env.BENCH_SETTINGS);
const SECRET = Buffer.alloc(32, 7);
const pool = new pg.Pool({ connectionString: databaseUrl, max: endpoints });
const NEXT = 'select id, body from raw_webhooks where endpoint = $1 and not delivered order by number limit 1';
const DONE = 'update raw_webhooks set delivered = true where id = $1';

function post(id, body) {
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', SECRET).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
  return new Promise((answered, failed) => {
    const asked = request(url, { method: 'POST', agent: false, headers }, (answer) => {
      answer.resume();
      answer.once('end', () => answered(answer.statusCode));
    });
    asked.once('error', failed);
    asked.end(body);
  });
}

async function lane(endpoint, end) {
  while (performance.now() < end) {
    const [row] = (await pool.query(NEXT, [endpoint])).rows;
    if (row === undefined) throw new Error('The table ran out of bodies.');
    if ((await post(row.id, row.body)) === 204) await pool.query(DONE, [row.id]);
  }
}

process.on('message', async ({ secs }) => {
  const end = performance.now() + secs * 1000;
  await Promise.all(Array.from({ length: endpoints }, (_, endpoint) => lane(endpoint, end)));
  process.send({ kind: 'done' });
});
process.on('disconnect', () => process.exit(0));
process.send({ kind: 'ready' });
