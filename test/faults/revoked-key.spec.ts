import { ApiClient, type Answer } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type Gateway } from '../support/gateway.js';
import { drawSmallWoundPhoto } from '../support/wound-photo.js';
import { verify } from './verify.js';

describe('a key revoked while it is in use', () => {
  let gateway: Gateway;
  let other: Gateway;
  beforeAll(async () => {
    const slow = { SUTURA_FP: 'child_decode:sleep', SUTURA_FP_SLEEP_MS: '1000' };
    gateway = await startGateway({ roles: 'api,worker', env: slow });
  });
  beforeAll(async () => {
    other = await startGateway({ roles: 'api', databaseUrl: gateway.databaseUrl, dataDir: gateway.dataDir });
  });
  afterAll(async () => {
    await other?.stop();
    await gateway?.stop();
  });

  it('[F30] finishes what has begun, is refused within 5 s at every gateway, and its jobs complete', async () => {
    const organizationId = await gateway.createOrganization('pro');
    const { key, keyId } = await gateway.createKey(organizationId);
    const client = new ApiClient(gateway.baseUrl, key);
    const imageId = await client.uploadPhoto(await drawSmallWoundPhoto());
    const ids = [(await client.startJob({ imageId })).id, (await client.startJob({ imageId })).id] as string[];
    const held = client.readJob(ids[0] as string, { prefer: 'wait=20' });

    const refusedAt: number[] = [];
    const poll = async (caller: ApiClient) => {
      // A request that fails ends the wait as well.
      const end = await eventually('the key is refused', async () => {
        const [asked] = await Promise.allSettled([caller.readJob(ids[1] as string)]);
        return asked.status === 'fulfilled' && asked.value.status === 200 ? null : asked;
      });
      refusedAt.push(performance.now());
      expect(end).toMatchObject({ value: { status: 401, body: { code: 'auth.revoked' } } });
      const { headers } = (end as PromiseFulfilledResult<Answer>).value;
      expect(headers.get('www-authenticate')).toBe('Bearer');
    };
    const polls = [poll(client), poll(client.at(other.baseUrl))];
    expect([200, 204]).toContain((await gateway.admin('DELETE', `/keys/${keyId}`)).status);
    const revokedAt = performance.now();
    await Promise.all(polls);
    for (const at of refusedAt) expect(at - revokedAt).toBeLessThan(5000);
    expect((await held).status).toBe(200);
    await verify(gateway, ids);
  });
});
