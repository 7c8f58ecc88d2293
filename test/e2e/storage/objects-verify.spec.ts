import { S3Peer } from '../../peers/s3-peer.js';
import { runCommand } from '../../support/command-line.js';
import { queryDatabase } from '../../support/database-query.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';

interface Said {
  readonly named: number;
  readonly missing: readonly string[];
  readonly changed: readonly string[];
  readonly keyMissing: readonly string[];
  readonly notCompared: number;
}
interface Verdict extends Said {
  readonly code: number | null;
}

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

  const verify = async (): Promise<Verdict> => {
    const env = { ...peer.environment, DATABASE_URL: gateway.databaseUrl, SUTURA_DATA_DIR: gateway.dataDir };
    const { code, out } = await runCommand(['objects', 'verify', '--json'], env);
    return { code, ...(JSON.parse(out) as Said) };
  };
  const nothing = { named: expect.any(Number) as number, missing: [], changed: [], keyMissing: [], notCompared: 0 };
  const change = (key: string): void => {
    peer.objects.set(key, { ...peer.objects.get(key)!, bytes: Buffer.from('other bytes') });
  };
  const keyOf = (name: string) => [...peer.objects.keys()].find((key) => key.endsWith(name))!;

  /** What it says of a whole store; of one that lost and changed something; and of pictures to be drawn, or of an older release. */
  let whole: Verdict;
  let changed: Verdict;
  let later: Verdict;
  let keys: Readonly<Record<'lost' | 'mask' | 'photo' | 'overlay', string>>;
  let older: string[];
  beforeAll(async () => {
    const client = await gateway.createClient();
    const photo = await drawWoundPhoto({ width: 320, height: 240 });
    const jobs = [];
    for (let made = 0; made < 4; made += 1) jobs.push(await client.analyse(photo));
    const [first, second, third, fourth] = jobs;
    whole = await verify();

    await client.request('GET', `/api/v1/analysis/jobs/${third.id}/artifacts/overlay`);
    keys = {
      lost: keyOf(`mask-${first.id}`),
      mask: keyOf(`mask-${second.id}`),
      photo: keyOf(`${second.imageId}/original`),
      overlay: keyOf(`overlay-${third.id}`),
    };
    peer.objects.delete(keys.lost);
    [keys.mask, keys.photo, keys.overlay].forEach(change);
    changed = await verify();

    peer.objects.delete(keys.overlay);
    const forget = `update analysis_jobs set picture_sha256 = null where id = '${fourth.id}'`;
    await queryDatabase(gateway.databaseUrl, forget);
    older = [...peer.objects.keys()].filter((key) => key.endsWith(`-${fourth.id}`));
    later = await verify();
  });

  it('names what a store of one’s own has lost or changed, and nothing else', () => {
    expect(whole).toEqual({ code: 0, ...nothing });
    const all = [keys.mask, keys.photo, keys.overlay].sort();
    expect({ ...changed, changed: changed.changed.toSorted() }).toEqual({
      code: 1,
      ...nothing,
      missing: [keys.lost],
      changed: all,
    });
  });

  it('compares an overlay once it was drawn, and does not miss one that will be drawn again', () => {
    expect(changed.changed).toContain(keys.overlay);
    expect([...later.missing, ...later.changed]).not.toContain(keys.overlay);
  });

  it('counts pictures whose digest an older release did not keep, and fails for none of them', () => {
    expect(older.length).toBeGreaterThan(0);
    expect({ ...later, changed: later.changed.toSorted() }).toEqual({
      code: 1,
      ...nothing,
      missing: [keys.lost],
      changed: [keys.mask, keys.photo].sort(),
      notCompared: older.length,
    });
  });
});
