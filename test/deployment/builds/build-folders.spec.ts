import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BuildFolders, noteUse } from '../../../scripts/build/build-folders.mjs';

const HOUR_MS = 60 * 60 * 1000;
const stampOf = (digit: string): string => digit.repeat(32);
/** Of a process that was, and is not. */
const deadPid = (): number => spawnSync(process.execPath, ['--version']).pid;

describe('the folders of builds', () => {
  let root: string;
  let builds: BuildFolders;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'sutura-builds-'));
    builds = new BuildFolders(root);
  });
  afterEach(() => rm(root, { recursive: true }));

  const names = async (): Promise<readonly string[]> => (await readdir(join(root, '.cache/builds'))).sort();
  const make = (digit: string, agoMs: number): string => {
    const folder = builds.finish(builds.draft(stampOf(digit)), stampOf(digit));
    builds.use(folder);
    const at = new Date(Date.now() - agoMs);
    utimesSync(folder, at, at);
    return folder;
  };

  it('lose what nobody runs, but not the newest two, nor one of the last hour, nor one that a living process runs', async () => {
    const run = make('1', 9 * HOUR_MS);
    noteUse(run);
    const left = make('2', 8 * HOUR_MS);
    writeFileSync(join(left, 'in-use', String(deadPid())), '');
    utimesSync(left, new Date(Date.now() - 8 * HOUR_MS), new Date(Date.now() - 8 * HOUR_MS));
    make('3', HOUR_MS / 2);
    make('4', HOUR_MS / 3);
    make('5', 0);
    builds.prune();
    expect(await names()).toEqual(['1', '3', '4', '5'].map(stampOf));
  });

  it('lose drafts of processes that ended, and keep those that are being made', async () => {
    const draft = builds.draft(stampOf('1'));
    mkdirSync(join(root, `.cache/builds/draft-${stampOf('2')}-${deadPid()}-00000000`));
    expect([builds.isBeingMade(stampOf('1')), builds.isBeingMade(stampOf('2'))]).toEqual([false, false]);
    builds.prune();
    expect((await names()).map((name) => join(root, '.cache/builds', name))).toEqual([draft]);
  });

  it('keep the build of whoever finished first', async () => {
    const [first, second] = [builds.draft(stampOf('1')), builds.draft(stampOf('1'))];
    writeFileSync(join(first, 'of'), 'the first');
    writeFileSync(join(second, 'of'), 'the second');
    const folder = builds.finish(first, stampOf('1'));
    expect(builds.finish(second, stampOf('1'))).toBe(folder);
    expect(await names()).toEqual([stampOf('1')]);
    expect(await readdir(folder)).toEqual(['in-use', 'of']);
  });

  it('are run as they are by an account that may not write there', () => {
    const folder = make('1', 0);
    make('2', 0);
    const places = [root, join(root, '.cache'), join(root, '.cache/builds'), folder, join(folder, 'in-use')];
    const isRoot = process.geteuid?.() === 0;
    for (const path of places) chmodSync(path, 0o555);
    if (isRoot) process.seteuid?.(65_534);
    try {
      builds.use(folder);
      noteUse(folder);
    } finally {
      if (isRoot) process.seteuid?.(0);
      for (const path of places) chmodSync(path, 0o755);
    }
    expect(readlinkSync(join(root, 'dist'))).toBe(`.cache/builds/${stampOf('2')}`);
  });

  it('are led to by a link that can be moved with the checkout', () => {
    make('1', 0);
    expect(readlinkSync(join(root, 'dist'))).toBe(`.cache/builds/${stampOf('1')}`);
  });
});
