import { S3Peer } from '../../peers/s3-peer.js';
import { runCommand } from '../../support/command-line.js';
import { queryDatabase } from '../../support/database-query.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

describe('objects verify', () => {
  let peer: S3Peer;
  let gateway: Gateway;

  beforeAll(async () => {
    peer = await S3Peer.start();
    gateway = await startGateway({ env: peer.environment });
  });
  afterAll(async () => {
    await gateway?.stop();
    await peer?.stop();
  });

  const verify = async (): Promise<{ readonly code: number | null; readonly said: unknown }> => {
    const env = { ...peer.environment, DATABASE_URL: gateway.databaseUrl, SUTURA_DATA_DIR: gateway.dataDir };
    const { code, out } = await runCommand(['objects', 'verify', '--json'], env);
    return { code, said: JSON.parse(out) };
  };
  const nothing = { named: expect.any(Number) as number, missing: [], changed: [], keyMissing: [], notCompared: 0 };
  const change = (key: string): void => {
    peer.objects.set(key, { ...peer.objects.get(key)!, bytes: Buffer.from('other bytes') });
  };

  it('names what a store of one’s own has lost or changed, and nothing else', async () => {
    const client = await gateway.createClient();
    const job = await client.analyse(await drawWoundPhoto());
    const other = await client.analyse(await drawWoundPhoto());
    expect(await verify()).toEqual({ code: 0, said: nothing });
    const keys = [...peer.objects.keys()];
    const lost = keys.find((key) => key.endsWith(`mask-${job.id}`))!;
    const mask = keys.find((key) => key.endsWith(`mask-${other.id}`))!;
    const photo = keys.find((key) => key.endsWith('original'))!;
    peer.objects.delete(lost);
    [mask, photo].forEach(change);
    const { code, said } = await verify();
    expect([code, said]).toEqual([1, { ...nothing, missing: [lost], changed: expect.any(Array) as unknown }]);
    expect((said as { changed: string[] }).changed.sort()).toEqual([mask, photo].sort());
  });

  it('compares an overlay once it was drawn, and does not miss one that will be drawn again', async () => {
    const client = await gateway.createClient();
    const job = await client.analyse(await drawWoundPhoto());
    await client.request('GET', `/api/v1/analysis/jobs/${job.id}/artifacts/overlay`);
    const overlay = [...peer.objects.keys()].find((key) => key.endsWith(`overlay-${job.id}`))!;
    change(overlay);
    expect((await verify()).said).toMatchObject({ changed: expect.arrayContaining([overlay]) as unknown });
    peer.objects.delete(overlay);
    const { missing, changed } = (await verify()).said as { missing: string[]; changed: string[] };
    expect([...missing, ...changed]).not.toContain(overlay);
  });

  it('counts pictures whose digest an older release did not keep, and fails for none of them', async () => {
    const client = await gateway.createClient();
    const job = await client.analyse(await drawWoundPhoto());
    const before = (await verify()).said as object;
    await queryDatabase(gateway.databaseUrl, `update analysis_jobs set picture_sha256 = null where id = '${job.id}'`);
    const pictures = [...peer.objects.keys()].filter((key) => key.endsWith(`-${job.id}`));
    expect((await verify()).said).toEqual({ ...before, notCompared: pictures.length });
  });
});
