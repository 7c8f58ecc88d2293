import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { startPostgresServer } from './postgres-server.mjs';
import { startRedisServer } from './redis-server.mjs';

const START = { '/postgres': () => startPostgresServer(), '/redis': () => startRedisServer() };

/** Gateways that files of one worker share (shared-gateway.ts): `POST /gateways/PID`, whose folder is the body. They end with the run. */
const GATEWAY = /^\/gateways\/([0-9]+)$/;

/**
 * One real PostgreSQL and one real Redis for the whole run, each started when a test first asks for its address
 * (test-servers.ts): a run of unit tests starts neither.
 */
export default async function offerServers() {
  const started = new Map();
  const gateways = new Map();
  const door = createServer(async (request, response) => {
    const [, pid] = GATEWAY.exec(request.url) ?? [];
    if (pid !== undefined) {
      gateways.set(Number(pid), await text(request));
      return void response.end();
    }
    const start = START[request.url];
    try {
      if (start === undefined) throw new Error(`There is no server ${request.url}.`);
      if (!started.has(request.url)) started.set(request.url, start());
      response.end((await started.get(request.url)).url);
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.message : String(error));
    }
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  // It must not keep a run alive that was broken off.
  door.unref();
  globalThis.suturaTestServers = { door, started, gateways };
  process.env.SUTURA_TEST_SERVERS = `http://127.0.0.1:${door.address().port}`;
}
