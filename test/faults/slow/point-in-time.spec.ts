import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArchivedPostgres, findArchivedPostgres } from '../../support/archived-postgres.js';
import { queryDatabase } from '../../support/database-query.js';
import { startGateway } from '../../support/gateway.js';
import { Hl7Hospital } from '../../support/hl7-hospital.js';
import { expectCameBack, jobsOf, Ward } from '../ward.js';

const programs = findArchivedPostgres();
const describeWhereFound = programs === undefined ? describe.skip : describe;

/** The steps of docs/coming-back.md, with the files of ops/pgbackrest. */
describeWhereFound('a database whose machine is lost while photos and messages come in', () => {
  let ground: string;
  let postgres: ArchivedPostgres;
  let hospital: Hl7Hospital;
  let ward: Ward;

  beforeAll(async () => {
    ground = await mkdtemp(join(tmpdir(), 'sutura-point-in-time-'));
    postgres = await ArchivedPostgres.start(programs!);
  });
  afterAll(async () => {
    await ward?.end();
    await hospital?.close();
    await postgres?.stop();
    await rm(ground, { recursive: true, force: true, maxRetries: 5 });
  });

  it('comes back to a moment that the operator names, and everything acknowledged before is there', async () => {
    const dataDir = join(ground, 'photos');
    await mkdir(dataDir);
    const databaseUrl = postgres.url;
    const slow = { SUTURA_FP: 'child_decode:sleep', SUTURA_FP_SLEEP_MS: '300' };
    const first = await startGateway({ databaseUrl, dataDir, env: slow });
    hospital = await Hl7Hospital.open(first);
    await hospital.connect().then((sender) => sender.destroy());
    ward = new Ward(hospital);
    ward.begin();
    await ward.hasSent(3, 1);
    await postgres.pgbackrest('--type=full', 'backup');
    await ward.hasSent(3, 1);
    const before = { jobs: [...ward.jobs], orders: [...ward.orders] };
    const [moment] = await queryDatabase<{ now: string }>(databaseUrl, 'select clock_timestamp()::text as now');
    await ward.hasSent(4, 2);
    await postgres.archived();
    await Promise.all([postgres.lose(), first.kill()]);
    await ward.end();

    await postgres.comeBackTo(moment!.now);
    await rm(join(dataDir, 'audit-heads.json'), { force: true });
    const began = new Date();
    const second = await startGateway({ databaseUrl, dataDir });
    const there = await jobsOf(second);
    // The moment, and not the end of the archive.
    expect(ward.jobs.slice(-2).filter((id) => there.includes(id))).toEqual([]);
    const env = { DATABASE_URL: databaseUrl, SUTURA_DATA_DIR: dataDir };
    await expectCameBack({ gateway: second, hospital, before, began, env, rules: { storeIsNewer: true } });
    await postgres.pgbackrest('--type=full', 'backup');
    await second.stop();
    await first.stop();
  }, 400_000);
});
