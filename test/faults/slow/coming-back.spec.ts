import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDatabaseUrl, runCommand } from '../../support/command-line.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { Hl7Hospital } from '../../support/hl7-hospital.js';
import { expectCameBack, Ward } from '../ward.js';

/** With the address of its embedded database, once that runs. */
async function withDatabase(gateway: Gateway): Promise<Gateway> {
  const databaseUrl = await embeddedDatabaseUrl(gateway.dataDir);
  return Object.create(gateway, { databaseUrl: { value: databaseUrl } }) as Gateway;
}

describe('a back-up that is taken while photos and messages come in', () => {
  const env = { HL7_ENCRYPTION_KEY: randomBytes(32).toString('base64') };
  /** Jobs pile up, so that the back-up has unfinished ones. */
  const slow = { SUTURA_FP: 'child_decode:sleep', SUTURA_FP_SLEEP_MS: '300' };
  let ground: string;
  let first: Gateway;
  let hospital: Hl7Hospital;
  let ward: Ward;

  beforeAll(async () => {
    ground = await mkdtemp(join(tmpdir(), 'sutura-coming-back-'));
    const dataDir = join(ground, 'data');
    first = await withDatabase(await startGateway({ databaseUrl: null, dataDir, env: { ...env, ...slow } }));
    hospital = await Hl7Hospital.open(first);
    await hospital.connect().then((sender) => sender.destroy());
    ward = new Ward(hospital);
  });
  afterAll(async () => {
    await ward?.end();
    await hospital?.close();
    await rm(ground, { recursive: true, force: true, maxRetries: 5 });
  });

  it('comes back with everything that was acknowledged before, and finishes what was unfinished', async () => {
    const out = join(ground, 'backup');
    ward.begin();
    await ward.hasSent(8, 3);
    const before = { jobs: [...ward.jobs], orders: [...ward.orders] };
    const taken = await runCommand(['backup', '--out', out, '--json'], { ...env, SUTURA_DATA_DIR: first.dataDir });
    expect([taken.err, taken.code]).toEqual(['', 0]);
    expect(ward.jobs.length).toBeGreaterThan(before.jobs.length);
    await ward.hasSent(2, 1);
    await first.kill();
    await ward.end();

    const dataDir = join(ground, 'restored');
    const there = { ...env, SUTURA_DATA_DIR: dataDir };
    const keys = join(first.dataDir, 'encryption.keys');
    const without = await runCommand(['restore', '--from', out, '--json'], there);
    expect(without).toMatchObject({ code: 1, err: expect.stringContaining('--encryption-keys FILE') as string });
    const restored = await runCommand(['restore', '--from', out, '--encryption-keys', keys, '--json'], there);
    expect([restored.err, restored.code]).toEqual(['', 0]);
    expect(JSON.parse(restored.out)).toMatchObject({ breaks: 0, missing: [], changed: [] });
    const began = new Date();
    const second = await withDatabase(await startGateway({ databaseUrl: null, dataDir, env }));
    await expectCameBack({ gateway: second, hospital, before, began, env: there });
    await second.stop();
    await first.stop();
  }, 300_000);
});
