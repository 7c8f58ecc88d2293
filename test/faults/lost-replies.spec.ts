import { randomUUID } from 'node:crypto';
import { createJobSurely } from '../support/api-client.js';
import { queryDatabase } from '../support/database-query.js';
import { startGateway, type Gateway } from '../support/gateway.js';
import { drawSmallWoundPhoto } from '../support/wound-photo.js';
import { verify } from './verify.js';

/** A gateway with the armed fault beside the one without, over the same database. It only answers requests. */
async function startDoomed(base: Gateway, env: Record<string, string>): Promise<Gateway> {
  return startGateway({ roles: 'api', databaseUrl: base.databaseUrl, dataDir: base.dataDir, env });
}

async function jobsSoFar({ databaseUrl }: Gateway): Promise<string[]> {
  return (await queryDatabase<{ id: string }>(databaseUrl, 'select id from analysis_jobs')).map(({ id }) => id);
}

describe('a gateway that dies while it answers', () => {
  let steady: Gateway;
  beforeAll(async () => {
    steady = await startGateway({ roles: 'api,worker' });
  });
  afterAll(() => steady?.stop());

  it('[F1] between commit and reply: the retry gets the same job and one charge', async () => {
    const client = await steady.createClient();
    const body = { imageId: await client.uploadPhoto(await drawSmallWoundPhoto()) };
    const doomed = await startDoomed(steady, { SUTURA_FP: 'after_commit_create:kill' });
    const before = await jobsSoFar(steady);
    const key = randomUUID();
    await expect(client.at(doomed.baseUrl).createJob(body, { 'idempotency-key': key })).rejects.toThrow();
    expect((await doomed.process.exited).signal).toBe('SIGKILL');

    const retried = await createJobSurely(() => [client], body, key);
    expect([retried.status, retried.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    await verify(steady, [...before, retried.body.id]);
  });

  it('[F2] before the commit: nothing exists and nothing was charged, and the retry makes the job', async () => {
    const client = await steady.createClient();
    const body = { imageId: await client.uploadPhoto(await drawSmallWoundPhoto()) };
    const doomed = await startDoomed(steady, { SUTURA_FP: 'before_commit_create:kill' });
    const before = await jobsSoFar(steady);
    const key = randomUUID();
    await expect(client.at(doomed.baseUrl).createJob(body, { 'idempotency-key': key })).rejects.toThrow();
    await doomed.process.exited;
    await verify(steady, before);

    const retried = await createJobSurely(() => [client], body, key);
    expect([retried.status, retried.headers.get('idempotency-replayed')]).toEqual([201, null]);
    await verify(steady, [...before, retried.body.id]);
  });
});
