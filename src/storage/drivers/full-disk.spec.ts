import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sutura-full-'));
});

afterEach(async () => {
  delete process.env['SUTURA_FP'];
  await rm(root, { recursive: true, force: true });
});

test('a full disk is named as such, keeps what was there and leaves nothing half written', async () => {
  process.env['SUTURA_FP'] = 'blob_write:enospc:2';
  await jest.isolateModulesAsync(async () => {
    const { BlobFolder } = await import('./blob-folder.js');
    const { LocalStore } = await import('./local.store.js');
    const store = new LocalStore(new BlobFolder(root), {} as never);
    await store.put('images/a/original', Buffer.from('kept'));
    await expect(store.put('images/a/original', Buffer.from('new'))).rejects.toMatchObject({
      code: 'service.storage_full',
    });
    expect(await store.get('images/a/original')).toEqual(Buffer.from('kept'));
    expect(await readdir(join(root, 'tmp'))).toEqual([]);
  });
});
