// A bare MLLP listener: frames, one insert with its own commit for each message, an accept acknowledgment, and nothing else.
import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import pg from 'pg';

const { databaseUrl, poolSize } = JSON.parse(process.env.BENCH_SETTINGS);
const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize, options: '-c synchronous_commit=on' });
await pool.query(
  'create table floor_messages (id uuid primary key, control_id text not null unique, sha256 bytea not null, raw bytea not null, received_at timestamptz not null default now())',
);
const VT = 0x0b;
const FS = 0x1c;
const END = Buffer.from([FS, 0x0d]);

async function keep(message) {
  const controlId = message.toString('latin1', 0, 400).split('|', 10)[9];
  const values = [randomUUID(), controlId, createHash('sha256').update(message).digest(), message];
  await pool.query({
    name: 'keep',
    text: 'insert into floor_messages (id, control_id, sha256, raw) values ($1, $2, $3, $4)',
    values,
  });
  return `MSH|^~\\&|SUTURA|SUTURA|EHR|HOSP|${new Date().toISOString().replace(/[-:T]/g, '').slice(0, 14)}+0000||ACK^R01^ACK|${randomUUID().slice(0, 20)}|T|2.5.1|||NE|NE\rMSA|CA|${controlId}\r`;
}

const server = createServer({ noDelay: true }, (socket) => {
  let rest = Buffer.alloc(0);
  let turn = Promise.resolve();
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(FS); end !== -1; end = rest.indexOf(FS)) {
      const message = rest.subarray(rest.indexOf(VT) + 1, end);
      rest = rest.subarray(end + 2);
      turn = turn
        .then(() => keep(message))
        .then(
          (answer) => socket.write(Buffer.concat([Buffer.from([VT]), Buffer.from(answer), END])),
          () => socket.destroy(),
        );
    }
  });
});
server.listen(0, '127.0.0.1', () => process.send({ kind: 'ready', port: server.address().port }));
process.on('disconnect', () => process.exit(0));
