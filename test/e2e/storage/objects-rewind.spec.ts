import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../support/command-line.js';

/** What it does to a bucket with versions: test/faults/slow/bucket-versions.spec.ts, against a real store. */
describe('objects rewind', () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sutura-rewind-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  const rewind = async (...words: string[]) => {
    const { code, err } = await runCommand(['objects', 'rewind', ...words], { SUTURA_DATA_DIR: dataDir });
    expect(await readdir(dataDir)).toEqual([]);
    return { code, err };
  };

  it('is refused without a moment, and for one without a zone, which every machine reads otherwise', async () => {
    expect(await rewind()).toEqual({ code: 2, err: expect.stringContaining('--to is missing') as string });
    for (const moment of ['2026-11-23 11:42:00', '2026-13-40T11:42:00Z'])
      expect([moment, await rewind('--to', moment)]).toEqual([
        moment,
        { code: 2, err: expect.stringContaining('a moment with its zone') as string },
      ]);
  });

  it('is refused where photos lie in a folder, with the way that leads back there', async () => {
    for (const moment of ['2026-11-23T11:42:00Z', '2026-11-23 11:42:00.123456+00'])
      expect(await rewind('--to', moment)).toEqual({
        code: 1,
        err: expect.stringContaining('npm run restore') as string,
      });
  });
});
