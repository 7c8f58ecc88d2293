import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { FileTree } from '../../scripts/image/file-tree.mjs';
import { writeArchive } from '../../scripts/image/oci-archive.mjs';

const CREATED_S = 1_700_000_000;
const LONG = `${'a-long-name/'.repeat(12)}file`;

interface Descriptor {
  readonly digest: string;
  readonly size: number;
}

describe('an OCI archive', () => {
  let folder: string;

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sutura-archive-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  let writes = 0;
  const write = async (name: string, config: object = { User: '1:1' }) => {
    const source = join(folder, 'source');
    writeFileSync(source, 'from a file', { mode: 0o600 });
    // When and by whom a file was written is no part of an image.
    writes += 1;
    utimesSync(source, writes * 1e6, writes * 2e6);
    const tree = new FileTree();
    tree.addFolder('data', { mode: 0o750, owner: 10_001 });
    tree.addText('etc/passwd', 'root\n');
    tree.addText(LONG, 'deep');
    await tree.addFrom(source, 'srv/file');
    const layers = [
      { title: 'first', tree },
      { title: 'second', tree: new FileTree() },
    ];
    const file = join(folder, name);
    const image = { name: 'sutura:1', createdS: CREATED_S, architecture: 'amd64', config, layers };
    return { file, ...(await writeArchive(file, image)) };
  };

  const read = (file: string, path: string): Buffer => execFileSync('tar', ['-xOf', file, path]);
  const blobOf = (file: string, { digest }: Descriptor): Buffer => read(file, `blobs/${digest.replace(':', '/')}`);
  const sha256 = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

  it('fails, and leaves nothing, where a file changes while it is read', async () => {
    const tree = new FileTree();
    const source = join(folder, 'growing');
    writeFileSync(source, 'short');
    await tree.addFrom(source, 'growing');
    writeFileSync(source, 'longer than before');
    const file = join(folder, 'broken.tar');
    const image = { name: 'x:1', createdS: 0, architecture: 'amd64', config: {}, layers: [{ title: 'one', tree }] };
    await expect(writeArchive(file, image)).rejects.toThrow('growing changed while it was read');
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });

  it('has the same bytes when the same is written again, and other digests for another image', async () => {
    const [first, again] = [await write('first.tar'), await write('again.tar')];
    expect(again).toMatchObject({ imageId: first.imageId, digest: first.digest, sizeBytes: first.sizeBytes });
    expect(readFileSync(again.file).equals(readFileSync(first.file))).toBe(true);
    expect((await write('other.tar', { User: '2:2' })).digest).not.toBe(first.digest);
  });

  it('is an image layout whose every digest and size is that of its bytes', async () => {
    const { file, digest, imageId } = await write('image.tar');
    expect(JSON.parse(String(read(file, 'oci-layout')))).toEqual({ imageLayoutVersion: '1.0.0' });
    const index = JSON.parse(String(read(file, 'index.json'))) as { manifests: Descriptor[] };
    expect(index.manifests.map((manifest) => manifest.digest)).toEqual([digest]);
    const manifest = JSON.parse(String(blobOf(file, index.manifests[0]!))) as {
      config: Descriptor;
      layers: Descriptor[];
    };
    for (const descriptor of [index.manifests[0]!, manifest.config, ...manifest.layers]) {
      const bytes = blobOf(file, descriptor);
      expect([sha256(bytes), bytes.length]).toEqual([descriptor.digest, descriptor.size]);
    }
    expect(manifest.config.digest).toBe(imageId);
    const config = JSON.parse(String(blobOf(file, manifest.config))) as { rootfs: { diff_ids: string[] } };
    expect(config).toMatchObject({ os: 'linux', architecture: 'amd64', created: '2023-11-14T22:13:20.000Z' });
    expect(config.rootfs.diff_ids).toEqual(manifest.layers.map((layer) => sha256(gunzipSync(blobOf(file, layer)))));
  });

  it('holds files with owner, mode and time of the image, whatever they are here, and names of any length', async () => {
    const { file } = await write('image.tar');
    const [{ Layers }] = JSON.parse(String(read(file, 'manifest.json'))) as [{ Layers: string[] }];
    const listed = execFileSync('tar', ['-tvzf', '-', '--numeric-owner', '--utc'], {
      input: read(file, Layers[0]!),
      encoding: 'utf8',
    });
    const lines = listed
      .trim()
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' '));
    expect(lines).toContain('drwxr-x--- 10001/10001 0 2023-11-14 22:13 data/');
    expect(lines).toContain('-rw-r--r-- 0/0 11 2023-11-14 22:13 srv/file');
    expect(lines).toContain(`-rw-r--r-- 0/0 4 2023-11-14 22:13 ${LONG}`);
  });
});
