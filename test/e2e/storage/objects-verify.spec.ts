import { S3Peer } from '../../peers/s3-peer.js';
import { runCommand } from '../../support/command-line.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

describe('objects verify', () => {
  let peer: S3Peer;
  let gateway: Gateway;

  beforeAll(async () => {
    peer = await S3Peer.start();
    gateway = await startGateway({ env: peer.environment });
  }, 90_000);
  afterAll(async () => {
    await gateway?.stop();
    await peer?.stop();
  });

  it('names what a store of one’s own has lost or changed, and nothing else', async () => {
    const client = await gateway.createClient();
    const job = await client.analyse(await drawWoundPhoto());
    const env = { ...peer.environment, DATABASE_URL: gateway.databaseUrl, SUTURA_DATA_DIR: gateway.dataDir };
    const whole = await runCommand(['objects', 'verify', '--json'], env);
    expect([whole.code, JSON.parse(whole.out)]).toEqual([0, { named: expect.any(Number), missing: [], changed: [] }]);
    const keys = [...peer.objects.keys()];
    const mask = keys.find((key) => key.endsWith(`mask-${job.id}`))!;
    const photo = keys.find((key) => key.endsWith('original'))!;
    peer.objects.delete(mask);
    peer.objects.set(photo, { ...peer.objects.get(photo)!, bytes: Buffer.from('no photo any more') });
    const spoilt = await runCommand(['objects', 'verify', '--json'], env);
    expect([spoilt.code, JSON.parse(spoilt.out)]).toEqual([
      1,
      expect.objectContaining({ missing: [mask], changed: [photo] }),
    ]);
  }, 90_000);
});
