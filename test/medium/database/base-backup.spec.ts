import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readSettings } from '../../../src/platform/config/settings.js';
import { openDatabase, type DatabaseHandle } from '../../../src/platform/database/open-database.js';
import { takeBaseBackup } from '../../../src/platform/embedded-postgres/base-backup.js';
import { Logger } from '../../../src/platform/logging/logger.js';
import { queryDatabase } from '../../support/database-query.js';

describe('a base backup of the embedded server', () => {
  let dataDir: string;
  let database: DatabaseHandle;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sutura-base-backup-'));
    database = await openDatabase(readSettings({ SUTURA_DATA_DIR: dataDir }), Logger.create('error'));
  });
  afterAll(async () => {
    await database?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('is one archive and the server’s own list of its files, and leaves nothing behind on the server', async () => {
    const files: { name: string; bytes: Buffer[] }[] = [];
    await takeBaseBackup(database.url, {
      begin: (name) => void files.push({ name, bytes: [] }),
      write: (bytes) => void files.at(-1)!.bytes.push(Buffer.from(bytes)),
    });
    expect(files.map(({ name }) => name)).toEqual(['base.tar', 'backup_manifest']);
    const listed = JSON.parse(Buffer.concat(files[1]!.bytes).toString()) as { Files: { Path: string }[] };
    const archive = Buffer.concat(files[0]!.bytes);
    const named = [...listed.Files.map(({ Path }) => Path), 'backup_label'];
    expect(named.filter((path) => !archive.includes(`${path}\0`))).toEqual([]);
    expect(archive.includes('pg_wal/00000001')).toBe(true);
    expect(listed.Files.length).toBeGreaterThan(500);
    expect(await queryDatabase(database.url, 'select slot_name from pg_replication_slots')).toEqual([]);
  });

  it('ends with the fault of who writes it, such as a full disk, and the server goes on', async () => {
    const full = Object.assign(new Error('no room'), { code: 'ENOSPC' });
    let written = 0;
    const target = {
      begin: () => undefined,
      write: () => {
        written += 1;
        if (written === 3) throw full;
      },
    };
    await expect(takeBaseBackup(database.url, target)).rejects.toBe(full);
    expect(written).toBe(3);
    expect(await queryDatabase(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('ends with an error when the server goes away meanwhile', async () => {
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    let stopped: Promise<unknown> | undefined;
    const target = {
      begin: () => undefined,
      write: () => {
        stopped ??= other.query('select pg_terminate_backend(pid) from pg_stat_replication');
        // Slower than a disk, so that the server is still sending.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
      },
    };
    await expect(takeBaseBackup(database.url, target)).rejects.toThrow();
    await stopped;
    await other.end();
  });
});
