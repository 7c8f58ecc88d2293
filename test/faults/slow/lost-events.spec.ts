import { randomUUID } from 'node:crypto';
import { createJobSurely } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import { eventually } from '../../support/eventually.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import { verify } from '../verify.js';

describe('a gateway that is killed while it hands out events', () => {
  let base: Gateway;
  let steady: Gateway;
  beforeEach(async () => {
    base = await startGateway();
    steady = base;
  });
  afterEach(async () => {
    if (steady !== base) await steady?.stop();
    await base?.stop();
  });

  const start = (env: Record<string, string> = {}) =>
    startGateway({ databaseUrl: base.databaseUrl, dataDir: base.dataDir, env });

  it.each([
    ['once its handlers have them lent', 'outbox_handed_over'],
    ['once a handler is done with them, before that is written down', 'outbox_before_handled'],
  ])(
    '%s (%s): every handler has them, and each job one report',
    async (_, point) => {
      const client = await base.createClient();
      const body = { imageId: await client.uploadPhoto(await drawWoundPhoto()) };
      await eventually(
        'the outbox to be empty',
        async () => (await queryDatabase(base.databaseUrl, 'select from outbox_events')).length === 0,
      );
      await base.kill();
      const doomed = await start({ SUTURA_FP: `${point}:kill` });
      const key = randomUUID();
      // It may die before it has answered.
      await client
        .at(doomed.baseUrl)
        .createJob(body, { 'idempotency-key': key })
        .catch(() => undefined);
      expect((await doomed.process.exited).signal).toBe('SIGKILL');
      expect(await queryDatabase(base.databaseUrl, 'select from outbox_events')).not.toEqual([]);

      steady = await start();
      const { body: job } = await createJobSurely(() => [client.at(steady.baseUrl)], body, key);
      await verify(steady, [job.id]);
    },
    150_000,
  );
});
