import { randomUUID } from 'node:crypto';
import { createJobSurely } from '../support/api-client.js';
import { startGateway, type Gateway } from '../support/gateway.js';
import { drawWoundPhoto } from '../support/wound-photo.js';
import { verify } from './verify.js';

describe('many callers at once', () => {
  let first: Gateway;
  let second: Gateway;
  let photo: Buffer;

  beforeEach(async () => {
    photo = await drawWoundPhoto({ width: 128, height: 96 });
    first = await startGateway();
    second = await startGateway({ roles: 'api', databaseUrl: first.databaseUrl, dataDir: first.dataDir });
  });
  afterEach(async () => {
    await second?.stop();
    await first?.stop();
  });

  it('[F20] fifty with one Idempotency-Key make one job and one charge, over two gateways', async () => {
    const client = await first.createClient();
    const body = { imageId: await client.uploadPhoto(photo) };
    const key = randomUUID();
    const gateways = [client, client.at(second.baseUrl)];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => gateways[index % 2]!.createJob(body, { 'idempotency-key': key })),
    );
    const created = answers.filter((answer) => answer.status === 201);
    const refused = answers.filter((answer) => answer.status !== 201);
    expect(new Set(created.map((answer) => answer.body.id)).size).toBe(1);
    expect(created.filter((answer) => answer.headers.get('idempotency-replayed') === null)).toHaveLength(1);
    for (const answer of refused) {
      expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([
        409,
        'idempotency.in_flight',
        '1',
      ]);
    }
    await verify(first, [created[0]?.body.id]);
  });

  it('[F28] two hundred against a limit of 25 make exactly 25 jobs, over two gateways', async () => {
    const client = await first.createClient('free');
    const imageId = await client.uploadPhoto(photo);
    const gateways = [client, client.at(second.baseUrl)];
    // A gateway short of connections may answer 503; a careful client then asks again, and the sums must still be exact.
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        createJobSurely(() => [gateways[index % 2]!], { imageId }, randomUUID()),
      ),
    );
    const created = answers.filter((answer) => answer.status === 201);
    const refused = answers.filter((answer) => answer.status === 429);
    expect([created.length, refused.length]).toEqual([25, 175]);
    expect(new Set(refused.map((answer) => answer.body.code))).toEqual(new Set(['quota.exceeded']));
    expect((await client.request('GET', '/api/v1/usage')).body).toMatchObject({ used: 25, remaining: 0 });
    await verify(
      first,
      created.map((answer) => answer.body.id),
    );
  });
});
