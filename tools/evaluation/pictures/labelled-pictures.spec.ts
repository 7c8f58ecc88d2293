import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnreadableInputError } from './photo-file.js';
import { listLabelledPictures } from './labelled-pictures.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'labelled-'));
  await mkdir(join(root, 'images'));
  await mkdir(join(root, 'masks'));
});
afterEach(() => rm(root, { recursive: true }));

const touch = (folder: string, ...names: readonly string[]) =>
  Promise.all(names.map((name) => writeFile(join(root, folder, name), '')));
const list = (more: { idsFile?: string; limit?: number } = {}) =>
  listLabelledPictures({
    images: join(root, 'images'),
    masks: join(root, 'masks'),
    idsFile: more.idsFile ?? null,
    limit: more.limit ?? null,
  });
const ids = (...more: Parameters<typeof list>) => list(...more).pictures.map(({ id }) => id);

describe('listLabelledPictures', () => {
  it('refuses a folder that is not there, and one without photos', async () => {
    expect(() =>
      listLabelledPictures({ images: join(root, 'nowhere'), masks: root, idsFile: null, limit: null }),
    ).toThrow(/nowhere cannot be read \(ENOENT\)/);
    await touch('images', 'notes.txt');
    expect(() => list()).toThrow(UnreadableInputError);
    expect(() => list()).toThrow('no picture to evaluate');
  });

  it('refuses a photo without a mask, and names it', async () => {
    await touch('images', '1.jpg', '2.jpg', '3.jpg');
    await touch('masks', '2.png');
    expect(() => list()).toThrow(/no mask for 1, 3\. Add it/);
  });

  it('refuses two files of one name', async () => {
    await touch('images', '1.jpg', '1.PNG');
    await touch('masks', '1.png');
    expect(() => list()).toThrow('second file of the name 1');
  });

  it('refuses an id whose photo is not there, and a list that is not there', async () => {
    await touch('images', '1.jpg');
    await touch('masks', '1.png');
    await writeFile(join(root, 'ids.txt'), '1\n7\n');
    expect(() => list({ idsFile: join(root, 'ids.txt') })).toThrow(/no photo for 7/);
    expect(() => list({ idsFile: join(root, 'none.txt') })).toThrow('none.txt cannot be read');
  });

  it('pairs by the name before the type, numbers in their order, and counts masks that have no photo', async () => {
    await touch('images', '10.webp', '9.JPG', 'heel.2.png', 'readme.md');
    await touch('masks', '10.png', '9.bmp', 'heel.2.webp', '11.png');
    expect(ids()).toEqual(['9', '10', 'heel.2']);
    expect(list().unusedMasks).toBe(1);
    expect(list().pictures[0]).toEqual({
      id: '9',
      photoFile: join(root, 'images', '9.JPG'),
      maskFile: join(root, 'masks', '9.bmp'),
    });
  });

  it('takes what a list names, once each, without its comments; and no more than the limit', async () => {
    await touch('images', '1.jpg', '2.jpg', '3.jpg');
    await touch('masks', '2.png', '3.png');
    await writeFile(join(root, 'ids.txt'), '# held out\r\n3\r\n\r\n2  # blurred\r\n3\r\n');
    expect(ids({ idsFile: join(root, 'ids.txt') })).toEqual(['2', '3']);
    expect(ids({ idsFile: join(root, 'ids.txt'), limit: 1 })).toEqual(['2']);
    expect(list({ idsFile: join(root, 'ids.txt') }).unusedMasks).toBe(0);
  });
});
