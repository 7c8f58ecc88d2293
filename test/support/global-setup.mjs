import { startPostgresServer } from './postgres-server.mjs';
import { startRedisServer } from './redis-server.mjs';

/** One real PostgreSQL and one real Redis for the whole run; the tests learn their addresses from the environment. */
export default async function startServers() {
  const postgres = await startPostgresServer();
  globalThis.suturaTestServers = [postgres];
  process.env.SUTURA_TEST_POSTGRES_URL = postgres.url;
  try {
    const redis = await startRedisServer();
    globalThis.suturaTestServers.push(redis);
    process.env.SUTURA_TEST_REDIS_URL = redis.url;
  } catch (error) {
    // Without set-up jest calls no teardown.
    await postgres.stop();
    throw error;
  }
}
