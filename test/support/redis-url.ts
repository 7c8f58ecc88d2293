/** Address of the run's real Redis. Shared by all test files: a test that empties or stops Redis starts its own. */
export function redisUrl(): string {
  const url = process.env['SUTURA_TEST_REDIS_URL'];
  if (url === undefined) throw new Error('The test run started no Redis (test/support/global-setup.mjs).');
  return url;
}
