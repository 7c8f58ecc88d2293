/** @jest-environment node */
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { register } from 'prom-client';
import type { Settings } from '../config/settings.js';
import { BackupMetrics, LAST_BACKUP_FILE } from './backup.metrics.js';

const NOW = new Date('2026-03-15T12:00:00Z');
const HOUR_S = 3600;

let dataDir: string;
beforeEach(async () => {
  register.clear();
  dataDir = await mkdtemp(join(tmpdir(), 'sutura-age-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const ageOf = (databaseUrl?: string) => figureOf('sutura_backup_age_seconds', databaseUrl);

async function figureOf(name: string, databaseUrl?: string): Promise<number | undefined> {
  const settings = { process: { dataDir }, database: { url: databaseUrl } } as unknown as Settings;
  new BackupMetrics(settings, { now: () => NOW }).onModuleInit();
  return (await register.getSingleMetric(name)!.get()).values[0]?.value;
}

async function fileOf(hoursAgo: number, ...path: string[]): Promise<void> {
  const file = join(dataDir, ...path);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, '');
  const at = new Date(NOW.getTime() - hoursAgo * HOUR_S * 1000);
  await utimes(file, at, at);
}

test('an own PostgreSQL that nobody told us of has no age', async () => {
  await fileOf(30, 'postgres', 'PG_VERSION');
  expect(await ageOf('postgres://db/sutura')).toBeUndefined();
});

test('an embedded database without a back-up is as old as itself, so that the alarm comes', async () => {
  await fileOf(30, 'postgres', 'PG_VERSION');
  expect(await ageOf()).toBe(30 * HOUR_S);
});

test('the age of an embedded database without a back-up is not taken for that of one', async () => {
  await fileOf(1, 'postgres', 'PG_VERSION');
  expect(await figureOf('sutura_backup_taken')).toBe(0);
  await fileOf(1, LAST_BACKUP_FILE);
  expect(await figureOf('sutura_backup_taken')).toBe(1);
});

test.each([undefined, 'postgres://db/sutura'])('the file of the last back-up counts, database %s', async (url) => {
  await fileOf(300, 'postgres', 'PG_VERSION');
  await fileOf(2, LAST_BACKUP_FILE);
  expect(await ageOf(url)).toBe(2 * HOUR_S);
});

test('a file of tomorrow is no age below zero', async () => {
  await fileOf(-5, LAST_BACKUP_FILE);
  expect(await ageOf()).toBe(0);
});
