import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackCluster } from './cluster-archive.js';

interface Entry {
  readonly name: string;
  readonly kind?: string;
  readonly content?: string;
  readonly size?: Buffer;
}

/** As PostgreSQL writes it (src/port/tar.c): ustar, octal sizes, 11 bytes behind 0x80 from 8 GiB on. */
function tarOf(entries: readonly Entry[]): Buffer {
  return Buffer.concat([...entries.flatMap(blocksOf), Buffer.alloc(1024)]);
}

function blocksOf({ name, kind = '0', content = '', size }: Entry): Buffer[] {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000600 ', 100);
  if (size === undefined) header.write(`${content.length.toString(8).padStart(11, '0')} `, 124);
  else size.copy(header, 124);
  header.write('        ', 148);
  header.write(kind, 156);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const padded = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  padded.write(content);
  return [header, padded];
}

describe('the archive of a base backup', () => {
  let ground: string;
  beforeEach(async () => {
    ground = await mkdtemp(join(tmpdir(), 'sutura-archive-'));
  });
  afterEach(() => rm(ground, { recursive: true }));

  const unpack = async (archive: Buffer): Promise<void> => {
    await writeFile(join(ground, 'base.tar'), archive);
    await unpackCluster(join(ground, 'base.tar'), join(ground, 'cluster'), null);
  };

  it.each([
    ['ends within a file', tarOf([{ name: 'a', content: 'x'.repeat(2000) }]).subarray(0, 1024), 'ends early'],
    ['ends without its last block', blocksOf({ name: 'a', content: 'x' })[0]!, 'ends early'],
    ['has a header that was changed', Buffer.from(tarOf([{ name: 'a' }])).fill('b', 0, 1), 'wrong sum'],
    ['names a place outside', tarOf([{ name: '../a', content: 'x' }]), 'not unpacked: ../a'],
    ['names a place from the root', tarOf([{ name: '/etc/a', content: 'x' }]), 'not unpacked: /etc/a'],
    ['has a link, as for a tablespace', tarOf([{ name: 'pg_tblspc/16384', kind: '2' }]), 'not unpacked: pg_tblspc'],
    [
      'says that a file has more than there is',
      tarOf([{ name: 'a', size: Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0]), content: 'x' }]),
      'ends early',
    ],
  ])('is refused when it %s', async (_, archive, words) => {
    await expect(unpack(archive)).rejects.toThrow(words);
  });

  it('becomes folders and files of their owner alone, each as it was', async () => {
    const long = 'y'.repeat(3 << 20);
    await unpack(
      tarOf([
        { name: 'pg_wal/', kind: '5' },
        { name: 'base/1/2', content: long },
        { name: 'empty' },
        { name: 'PG_VERSION', content: '18\n', size: Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3]) },
      ]),
    );
    const at = (name: string): string => join(ground, 'cluster', name);
    expect(await readFile(at('base/1/2'), 'utf8')).toBe(long);
    expect(await readFile(at('empty'), 'utf8')).toBe('');
    expect(await readFile(at('PG_VERSION'), 'utf8')).toBe('18\n');
    expect((await stat(at('pg_wal'))).isDirectory()).toBe(true);
    expect((await stat(at('base'))).mode & 0o777).toBe(0o700);
    expect((await stat(at('PG_VERSION'))).mode & 0o777).toBe(0o600);
  });
});
