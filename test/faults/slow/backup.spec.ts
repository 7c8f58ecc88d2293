import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDatabaseUrl, runCommand, type CommandEnd } from '../../support/command-line.js';
import { eventually } from '../../support/eventually.js';
import { queryDatabase } from '../../support/database-query.js';
import { startGateway, type Gateway } from '../../support/gateway.js';
import { drawWoundPhoto } from '../../support/wound-photo.js';
import type { ApiClient } from '../../support/api-client.js';

/** Paths of all files below a folder. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Where the log ends, once it has the end of this job; false: not yet. */
async function endOfEvents(client: ApiClient, jobId: string): Promise<string | false> {
  const { items, resumeCursor } = (await client.request('GET', '/api/v1/events?limit=100')).body;
  const isThere = (items as { type: string; data: { jobId?: string } }[]).some(
    ({ type, data }) => type === 'report.ready' && data.jobId === jobId,
  );
  return isThere && (resumeCursor as string);
}

describe('backup and restore of the embedded default', () => {
  let ground: string;
  let dataDir: string;
  let good: string;
  let gateway: Gateway;
  let client: ApiClient;
  let taken: CommandEnd;
  let job: Awaited<ReturnType<ApiClient['analyse']>>;

  const at = (name: string): string => join(ground, name);
  const backup = (out: string, variables: Record<string, string> = {}) =>
    runCommand(['backup', '--out', out], { SUTURA_DATA_DIR: dataDir, ...variables });
  const restore = (from: string, into: string, variables: Record<string, string> = {}) =>
    runCommand(['restore', '--from', from, '--encryption-keys', join(dataDir, 'encryption.keys'), '--json'], {
      SUTURA_DATA_DIR: into,
      ...variables,
    });
  /** A copy of the good back-up, to be spoiled. */
  const copyOf = async (name: string): Promise<string> => {
    await cp(good, at(name), { recursive: true });
    return at(name);
  };
  const keyOf = (imageId: string) => (path: string) => path.includes(imageId) && path.endsWith('original');

  beforeAll(async () => {
    ground = await mkdtemp(join(tmpdir(), 'sutura-backup-'));
    dataDir = at('data');
    good = at('good');
    gateway = await startGateway({ databaseUrl: null, dataDir });
    client = await gateway.createClient();
    job = await client.analyse(await drawWoundPhoto());
    taken = await backup(good);
  });
  afterAll(async () => {
    await gateway?.stop();
    await rm(ground, { recursive: true, force: true, maxRetries: 5 });
  });

  it('leaves a folder whose files their owner alone may read, and that sha256sum can check', async () => {
    expect([taken.err, taken.code]).toEqual(['', 0]);
    expect(taken.out).toContain('HL7_ENCRYPTION_KEY');
    const files = await filesBelow(good);
    const modes = await Promise.all(files.map(async (file) => (await stat(file)).mode & 0o777));
    expect(new Set(modes)).toEqual(new Set([0o600]));
    expect((await stat(good)).mode & 0o777).toBe(0o700);
    const sums = (await readFile(join(good, 'SHA256SUMS'), 'utf8')).trimEnd().split('\n');
    expect(sums.map((line) => join(good, line.slice(66))).sort()).toEqual(
      files.filter((file) => !/(manifest\.json|SHA256SUMS)$/.test(file)).sort(),
    );
    expect((await readdir(ground)).filter((name) => name.endsWith('.unfinished'))).toEqual([]);
  });

  describe('a back-up is refused', () => {
    it.each([
      ['of a server of one’s own', { DATABASE_URL: 'postgres://user:secret@127.0.0.1:1/none' }, 'pgBackRest'],
      ['of photos in a store of one’s own', { SUTURA_STORAGE: 's3', S3_BUCKET: 'photos' }, 'S3 store'],
    ])('%s', async (_, variables, words) => {
      const { code, err } = await backup(at('refused'), variables);
      expect([code, err]).toEqual([1, expect.stringContaining(words)]);
      expect(err).not.toContain('secret');
      expect(err).not.toContain('    at ');
    });

    it('over another one, and into the data folder itself', async () => {
      expect(await backup(good)).toMatchObject({ code: 1, err: expect.stringContaining('exists already') });
      expect(await backup(join(dataDir, 'backup'))).toMatchObject({
        code: 1,
        err: expect.stringContaining('lies in the data folder'),
      });
      expect(await runCommand(['backup'], { SUTURA_DATA_DIR: dataDir })).toMatchObject({ code: 2 });
    });

    it('by a full disk, and nothing of it is left', async () => {
      const { code, err } = await backup(at('full'), { SUTURA_FP: 'backup_copy:enospc:2' });
      expect([code, err]).toEqual([1, expect.stringContaining('is full')]);
      expect((await readdir(ground)).filter((name) => name.startsWith('full'))).toEqual([]);
    });
  });

  it('that is killed in the middle leaves nothing that looks whole, and says so to the next one', async () => {
    expect((await backup(at('killed'), { SUTURA_FP: 'backup_copy:kill:2' })).code).toBeNull();
    expect((await readdir(ground)).filter((name) => name.startsWith('killed'))).toEqual(['killed.unfinished']);
    expect(await restore(at('killed.unfinished'), at('nowhere'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('no whole back-up'),
    });
    expect(await backup(at('killed'))).toMatchObject({ code: 1, err: expect.stringContaining('delete that folder') });
    await rm(at('killed.unfinished'), { recursive: true });
    expect(await backup(at('killed'))).toMatchObject({ code: 0 });
  });

  it('names a photo that is gone from the store or changed there, and copies the rest', async () => {
    const [gone, changed] = [
      await client.uploadPhoto(await drawWoundPhoto()),
      await client.uploadPhoto(await drawWoundPhoto({ seed: 2 })),
    ];
    const files = await filesBelow(join(dataDir, 'objects'));
    const kept = await readFile(files.find(keyOf(changed))!);
    await rm(files.find(keyOf(gone))!);
    await appendFile(files.find(keyOf(changed))!, 'x');
    const { code, out } = await runCommand(['backup', '--out', at('lossy'), '--json'], { SUTURA_DATA_DIR: dataDir });
    expect([code, JSON.parse(out).objects]).toEqual([
      1,
      expect.objectContaining({ missing: [`images/${gone}/original`], changed: [`images/${changed}/original`] }),
    ]);
    await writeFile(files.find(keyOf(changed))!, kept);
    const into = at('lossy-data');
    const restored = await restore(at('lossy'), into);
    expect([restored.code, JSON.parse(restored.out)]).toEqual([
      1,
      expect.objectContaining({ missing: [`images/${gone}/original`], changed: [`images/${changed}/original`] }),
    ]);
  });

  it('does not bring back a photo that was erased before it', async () => {
    const imageId = await client.uploadPhoto(await drawWoundPhoto({ seed: 3 }));
    expect((await client.request('DELETE', `/api/v1/images/${imageId}`)).status).toBe(204);
    await backup(at('erased'));
    expect((await filesBelow(at('erased'))).filter((path) => path.includes(imageId))).toEqual([]);
  });

  describe('a restore is refused, and writes nothing', () => {
    const spoilt: readonly (readonly [string, (folder: string) => Promise<unknown>, string])[] = [
      ['of a folder without a back-up', (folder) => rm(join(folder, 'manifest.json')), 'no whole back-up'],
      ['of one whose manifest is cut off', (folder) => truncate(join(folder, 'manifest.json'), 100), 'damaged'],
      ['of one whose list of files was changed', (folder) => appendFile(join(folder, 'SHA256SUMS'), 'x'), 'SHA256SUMS'],
      [
        'of one whose database is cut off',
        (folder) => truncate(join(folder, 'postgres/base.tar'), 1 << 20),
        'postgres/base.tar',
      ],
      [
        'of one in which a photo was changed',
        async (folder) =>
          appendFile(
            (await filesBelow(folder)).find((path) => path.endsWith('original'))!,
            'x',
          ),
        '/original',
      ],
      [
        'of one that lacks a photo',
        async (folder) => rm((await filesBelow(folder)).find((path) => path.endsWith('original'))!),
        '/original',
      ],
      [
        'of one by a newer release',
        (folder) => edit(folder, { schema: ['CreateTomorrow9999999999999'] }),
        'newer release',
      ],
      ['of one by another PostgreSQL', (folder) => edit(folder, { postgres: '99.1' }), 'PostgreSQL 99.1'],
      ['of one from another kind of machine', (folder) => edit(folder, { platform: 'sunos-sparc' }), 'sunos-sparc'],
    ];
    const edit = async (folder: string, change: object): Promise<void> => {
      const file = join(folder, 'manifest.json');
      const manifest = JSON.parse(await readFile(file, 'utf8')) as object;
      await writeFile(file, JSON.stringify({ ...manifest, ...change }));
    };

    it.each(spoilt)('%s', async (name, spoil, words) => {
      const folder = await copyOf(`spoilt ${name}`);
      await spoil(folder);
      const { code, err } = await restore(folder, at('untouched'));
      expect([code, err]).toEqual([1, expect.stringContaining(words)]);
      expect(err).not.toContain('    at ');
      await expect(stat(at('untouched'))).rejects.toMatchObject({ code: 'ENOENT' });
    });

    it('into a folder with anything in it, above all that of a running gateway', async () => {
      await mkdir(at('taken'));
      await writeFile(at('taken/letter'), '');
      for (const folder of [dataDir, at('taken')])
        expect(await restore(good, folder)).toMatchObject({ code: 1, err: expect.stringContaining('not empty') });
      expect(await readdir(at('taken'))).toEqual(['letter']);
    });

    it('by a full disk, and the folder is empty again', async () => {
      const { code, err } = await restore(good, at('small'), { SUTURA_FP: 'restore_copy:enospc:3' });
      expect([code, err]).toEqual([1, expect.stringContaining('is full')]);
      expect(await readdir(at('small'))).toEqual([]);
    });
  });

  it('that is killed in the middle of a restore leaves a folder on which no gateway starts', async () => {
    const into = at('half');
    expect((await restore(good, into, { SUTURA_FP: 'restore_copy:kill:3' })).code).toBeNull();
    const started = await startGateway({ databaseUrl: null, dataDir: into, until: 'spawned' });
    expect((await started.process.exited).code).toBe(1);
    expect(started.logs).toContain('restore.unfinished');
    await started.stop();
    expect(await restore(good, into)).toMatchObject({ code: 1, err: expect.stringContaining('restore.unfinished') });
    expect((await readdir(into)).sort()).toEqual(['restore.unfinished', 'test-models']);
  });

  it('needs no running gateway', async () => {
    const [from, into] = [at('resting'), at('resting-data')];
    await restore(good, from);
    const resting = await runCommand(['backup', '--out', at('resting-copy')], { SUTURA_DATA_DIR: from });
    expect([resting.err, resting.code]).toEqual(['', 0]);
    expect(await restore(at('resting-copy'), into)).toMatchObject({ code: 0, err: '' });
  });

  it('comes back into an empty folder, with the keys, answers and audit trail of before, and tells what is new behind a cursor from after it', async () => {
    // Lost with the machine, though its events were read.
    const lost = await client.analyse(await drawWoundPhoto({ seed: 5 }));
    const cursor = await eventually('its events are read', () => endOfEvents(client, lost.id as string));
    const into = at('whole');
    await mkdir(into);
    expect(await restore(good, into)).toMatchObject({ code: 0, err: '' });
    expect((await stat(join(into, 'postgres-credentials.json'))).mode & 0o777).toBe(0o600);
    const second = await startGateway({ databaseUrl: null, dataDir: into });
    const again = client.at(second.baseUrl);
    expect((await again.readJob(job.id)).body).toMatchObject({
      status: 'completed',
      result: { wounds: job.result.wounds },
    });
    const acts = `select interaction, query from audit_events where interaction in ('$backup', '$restore') order by id`;
    expect(await queryDatabase(await embeddedDatabaseUrl(into), acts)).toEqual([
      { interaction: '$backup', query: `to ${good}` },
      { interaction: '$restore', query: expect.stringMatching(/^of 2\d{3}-/) },
    ]);
    const anew = await again.analyse(await drawWoundPhoto({ seed: 4 }));
    expect(anew.status).toBe('completed');
    const told = await eventually('what is new is told', async () => {
      const { items } = (await again.request('GET', `/api/v1/events?limit=100&cursor=${cursor}`)).body;
      const jobs = (items as { data: { jobId?: string } }[]).map(({ data }) => data.jobId);
      return jobs.includes(anew.id as string) && jobs;
    });
    expect(told).not.toContain(job.id);
    await second.stop();
  });
});
