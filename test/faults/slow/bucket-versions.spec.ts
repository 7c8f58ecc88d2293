import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { ArchivedPostgres, findArchivedPostgres } from '../../support/archived-postgres.js';
import { CephStore, findCeph } from '../../support/ceph-store.js';
import { runCommand } from '../../support/command-line.js';
import { queryDatabase } from '../../support/database-query.js';
import { startGateway } from '../../support/gateway.js';
import { Hl7Hospital } from '../../support/hl7-hospital.js';
import { expectCameBack, jobsOf, Ward } from '../ward.js';

const programs = findArchivedPostgres();
const hasCeph = findCeph('the way back of a bucket with versions is not rehearsed');
const describeWhereFound = programs === undefined || !hasCeph ? describe.skip : describe;
const PHOTOS = 'photos';
const REPOSITORY = 'database';

/** The steps of docs/coming-back.md, with the database's repository and the photos in a real S3 store. */
describeWhereFound('a database and a bucket that an accident ruined while photos and messages came in', () => {
  let ground: string;
  let store: CephStore;
  let postgres: ArchivedPostgres;
  let hospital: Hl7Hospital;
  let ward: Ward;

  beforeAll(async () => {
    ground = await mkdtemp(join(tmpdir(), 'sutura-bucket-versions-'));
    store = await CephStore.start();
    await store.createBucket(PHOTOS, true);
    await store.createBucket(REPOSITORY, false);
    postgres = await ArchivedPostgres.start(programs!, store.repository(REPOSITORY));
  }, 240_000);
  afterAll(async () => {
    await ward?.end();
    await hospital?.close();
    await postgres?.stop();
    await store?.stop();
    await rm(ground, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Deletes every other object of the bucket and overwrites the rest. */
  const ruin = async (): Promise<void> => {
    const { client } = store;
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: PHOTOS, Prefix: 'images/' }));
    expect(Contents.length).toBeGreaterThan(8);
    for (const [index, { Key }] of Contents.entries())
      if (index % 2 === 0) await client.send(new DeleteObjectCommand({ Bucket: PHOTOS, Key }));
      else await client.send(new PutObjectCommand({ Bucket: PHOTOS, Key, Body: 'ruined' }));
  };

  it('come back to one moment: rows by pgBackRest, objects by their versions', async () => {
    const dataDir = join(ground, 'data');
    await mkdir(dataDir);
    const databaseUrl = postgres.url;
    const bucket = store.environment(PHOTOS);
    const slow = { SUTURA_FP: 'child_decode:sleep', SUTURA_FP_SLEEP_MS: '300' };
    const first = await startGateway({ databaseUrl, dataDir, env: { ...bucket, ...slow } });
    hospital = await Hl7Hospital.open(first);
    await hospital.connect().then((sender) => sender.destroy());
    ward = new Ward(hospital);
    ward.begin();
    await ward.hasSent(3, 1);
    await postgres.pgbackrest('--type=full', 'backup');
    await ward.hasSent(3, 1);
    const before = { jobs: [...ward.jobs], orders: [...ward.orders] };
    const [moment] = await queryDatabase<{ now: string }>(databaseUrl, 'select clock_timestamp()::text as now');
    await ward.hasSent(3, 1);
    await postgres.archived();
    await Promise.all([postgres.lose(), first.kill()]);
    await ward.end();
    await ruin();

    await postgres.comeBackTo(moment!.now);
    await rm(join(dataDir, 'audit-heads.json'), { force: true });
    // The AWS SDK warns on old releases of Node.js.
    const env = { ...bucket, DATABASE_URL: databaseUrl, SUTURA_DATA_DIR: dataDir, NODE_NO_WARNINGS: '1' };
    const found = await runCommand(['objects', 'verify', '--json'], env);
    expect(found.code).toBe(1);
    const { missing, changed } = JSON.parse(found.out) as { missing: string[]; changed: string[] };
    expect([missing.length > 0, changed.length > 0]).toEqual([true, true]);
    const words = ['objects', 'rewind', '--to', moment!.now, '--json'];
    const trial = await runCommand([...words, '--dry-run'], env);
    expect([trial.code, trial.err]).toEqual([0, '']);
    const { broughtBack } = JSON.parse(trial.out) as { broughtBack: string[] };
    expect(broughtBack.toSorted()).toEqual([...missing, ...changed].sort());
    const rewound = await runCommand(words, env);
    expect(JSON.parse(rewound.out)).toEqual(JSON.parse(trial.out));
    const again = await runCommand(words, env);
    expect(JSON.parse(again.out)).toMatchObject({ broughtBack: [], notFound: [] });

    const began = new Date();
    const second = await startGateway({ databaseUrl, dataDir, env: bucket });
    // The moment, and not the end of the archive.
    const there = await jobsOf(second);
    expect(ward.jobs.slice(-2).filter((id) => there.includes(id))).toEqual([]);
    await expectCameBack({ gateway: second, hospital, before, began, env, rules: { inBucket: true } });
    await postgres.pgbackrest('--type=full', 'backup');
    await second.stop();
    await first.stop();
  }, 500_000);
});
