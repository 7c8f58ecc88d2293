import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { rectangleMask } from '../../../test/support/drawn-mask.js';
import { UnreadableInputError } from '../pictures/photo-file.js';
import { plotText } from './bitmap-font.js';
import { writeContactSheet, type SheetTile } from './contact-sheet.js';
import { PANEL_SIDE_PX, drawPanel, toLayer } from './outlined-panel.js';

const MAX_PIXELS = 1_000_000;
const YELLOW = [255, 221, 0] as const;
const BLUE = [0, 200, 255] as const;
const PHOTO = { widthPx: 640, heightPx: 320 };
let folder: string;
let photoFile: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheet-'));
  photoFile = join(folder, 'photo.png');
  await writeFile(
    photoFile,
    await sharp({ create: { width: 640, height: 320, channels: 3, background: '#804040' } })
      .png()
      .toBuffer(),
  );
});
afterAll(() => rm(folder, { recursive: true }));

const region = (x: number) => rectangleMask(640, 320, { x, y: 100, width: 100, height: 100 });

describe('drawPanel', () => {
  it('fits the photo into a square and draws each outline in its colour, both mixed where they meet', async () => {
    const panel = await drawPanel(
      photoFile,
      PHOTO,
      [toLayer(region(100), YELLOW), toLayer(region(200), BLUE)],
      MAX_PIXELS,
    );
    const at = (x: number, y: number) => [
      ...panel.subarray((y * PANEL_SIDE_PX + x) * 3, (y * PANEL_SIDE_PX + x) * 3 + 3),
    ];
    expect(panel).toHaveLength(PANEL_SIDE_PX * PANEL_SIDE_PX * 3);
    expect(at(10, 10)).toEqual([32, 32, 36]);
    expect(at(10, 100)).toEqual([128, 64, 64]);
    // Half as large, and 80 lower: the regions begin at x 50 and 100, y 130.
    expect([at(50, 150), at(51, 150), at(52, 150)]).toEqual([[...YELLOW], [...YELLOW], [128, 64, 64]]);
    expect([at(99, 150), at(100, 150)]).toEqual([[...YELLOW], [...BLUE]]);
    const both = await drawPanel(
      photoFile,
      PHOTO,
      [toLayer(region(100), YELLOW), toLayer(region(100), BLUE)],
      MAX_PIXELS,
    );
    expect([...both.subarray((150 * PANEL_SIDE_PX + 50) * 3, (150 * PANEL_SIDE_PX + 50) * 3 + 3)]).toEqual([
      128, 211, 128,
    ]);
  });
});

describe('writeContactSheet', () => {
  const tile: SheetTile = { photoFile, photo: PHOTO, panels: [[toLayer(region(100), YELLOW)]], caption: '0.123  0042' };
  const tiles = (count: number) => Array.from({ length: count }, () => ({ ...tile, photoFile }));

  it('says that its file cannot be written', async () => {
    await expect(writeContactSheet(join(folder, 'none', 'sheet.jpg'), tiles(1), [], MAX_PIXELS)).rejects.toThrow(
      UnreadableInputError,
    );
  });

  it('writes one JPEG of six panels a row, and nothing else', async () => {
    const file = join(folder, 'sheet.jpg');
    await writeContactSheet(file, tiles(7), [{ name: 'Expert: yellow', colour: YELLOW }], MAX_PIXELS);
    expect(await sharp(file).metadata()).toMatchObject({
      format: 'jpeg',
      width: 8 + 6 * 328,
      height: 16 + 22 + 2 * (320 + 22 + 16),
    });
    expect((await readdir(folder)).sort()).toEqual(['photo.png', 'sheet.jpg']);
  });

  it('is a sheet without photos where nothing was wrong', async () => {
    const file = join(folder, 'empty.jpg');
    await writeContactSheet(file, [], [], MAX_PIXELS);
    expect((await sharp(file).metadata()).height).toBe(38);
    await rm(file);
  });
});

describe('plotText', () => {
  it('draws capitals for small letters, and a box for what it lacks', () => {
    const drawn = (text: string) => {
      const dots: string[] = [];
      plotText(text, 0, 0, 1, (x, y) => dots.push(`${x},${y}`));
      return dots;
    };
    expect(drawn('a1')).toEqual(drawn('A1'));
    expect(drawn('ж')).toHaveLength(7 + 7 + 3 + 3);
    expect(drawn('I')).toContain('2,3');
  });
});
