import { tmpdir } from 'node:os';
import { register } from 'prom-client';
import { readSettings } from '../config/settings.js';
import { Logger } from '../logging/logger.js';
import { FreeSpaceProbe, usesDataFolder } from './free-space.probe.js';

const lines: { event: string }[] = [];
const logger = Logger.create('info', {
  write: (line: string) => void lines.push(JSON.parse(line) as { event: string }),
});
const probe = (leastMib: string) =>
  new FreeSpaceProbe(readSettings({ SUTURA_DATA_DIR: tmpdir(), SUTURA_MIN_FREE_MIB: leastMib }), logger);

test('a disk with less room than SUTURA_MIN_FREE_MIB is not ready, and the log says so once', async () => {
  const full = probe('1000000');
  await expect(full.check()).rejects.toThrow('nearly full');
  await expect(full.check()).rejects.toThrow('nearly full');
  expect(lines).toMatchObject([{ event: 'disk.low', leastMib: 1_000_000 }]);
});

const figure = async (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await register.metrics())?.[1]);

test('a disk with room is ready, and /metrics says how much there is, of how much, and how much there must be', async () => {
  register.clear();
  await probe('3').check();
  const [free, size, least] = await Promise.all(
    ['free', 'size', 'least_free'].map((name) => figure(`sutura_data_${name}_bytes`)),
  );
  expect(free).toBeGreaterThan(0);
  expect(size).toBeGreaterThanOrEqual(free!);
  expect(least).toBe(3 * 1024 * 1024);
});

test('a process that keeps nothing in its data folder does not look at it', () => {
  expect(
    usesDataFolder(readSettings({ DATABASE_URL: 'postgres://db/x', SUTURA_STORAGE: 's3', S3_BUCKET: 'photos' })),
  ).toBe(false);
  expect(usesDataFolder(readSettings({ DATABASE_URL: 'postgres://db/x' }))).toBe(true);
});
