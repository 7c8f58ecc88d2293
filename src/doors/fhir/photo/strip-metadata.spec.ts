import sharp from 'sharp';
import { drawWoundPhoto } from '../../../../test/support/wound-photo.js';
import { withoutMetadata } from './strip-metadata.js';

const MARKER = 'MARKER-NAME';
const GPS = { GPSLatitude: '52/1 30/1 0/1', GPSLatitudeRef: 'N' };

async function photoWith(
  format: 'jpeg' | 'png' | 'webp',
  orientation: number,
  details: Record<string, string> = {},
): Promise<Buffer> {
  const picture = sharp(await drawWoundPhoto({ width: 96, height: 64, format: 'png' }));
  const exif = {
    IFD0: { ImageDescription: MARKER, Make: MARKER },
    IFD2: { DateTimeOriginal: '2026:03:15 09:40:12', MakerNote: MARKER, ...details },
    IFD3: GPS,
  };
  return picture.withMetadata({ orientation, exif })[format]().toBuffer();
}

const pixelsOf = (bytes: Buffer) => sharp(bytes).raw().toBuffer();

describe('a photo as it is served', () => {
  it.each(['jpeg', 'png', 'webp'] as const)(
    'of a %s has neither place nor names, and the very same pixels',
    async (format) => {
      const photo = await photoWith(format, 1);
      expect(photo.includes(MARKER)).toBe(true);
      const bare = withoutMetadata(photo)!;
      expect(bare.bytes.includes(MARKER)).toBe(false);
      const facts = await sharp(bare.bytes).metadata();
      expect([facts.exif, facts.xmp, facts.iptc]).toEqual([undefined, undefined, undefined]);
      expect((await pixelsOf(bare.bytes)).equals(await pixelsOf(photo))).toBe(true);
    },
  );

  it.each(['jpeg', 'png', 'webp'] as const)('of a %s is still turned as the camera says', async (format) => {
    const photo = await photoWith(format, 6);
    const bare = withoutMetadata(photo)!;
    expect(bare.exif.orientation).toBe(6);
    expect(await sharp(bare.bytes).metadata()).toMatchObject({ orientation: 6, autoOrient: { width: 64, height: 96 } });
    expect(bare.bytes.includes(MARKER)).toBe(false);
  });

  it('loses what is appended, and comments', async () => {
    const photo = await drawWoundPhoto({ width: 96, height: 64 });
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 2 + MARKER.length]), Buffer.from(MARKER)]);
    const hostile = Buffer.concat([photo.subarray(0, 2), comment, photo.subarray(2), Buffer.from(MARKER)]);
    expect(withoutMetadata(hostile)!.bytes).toEqual(withoutMetadata(photo)!.bytes);
  });

  it('of a progressive JPEG keeps every scan', async () => {
    const photo = await sharp(await drawWoundPhoto({ format: 'png' }))
      .jpeg({ progressive: true })
      .toBuffer();
    expect((await pixelsOf(withoutMetadata(photo)!.bytes)).equals(await pixelsOf(photo))).toBe(true);
  });

  it('says when it was taken: the moment with a zone, else the day alone', async () => {
    const takenAt = async (details: Record<string, string>) =>
      withoutMetadata(await photoWith('jpeg', 1, details))!.exif.takenAt;
    expect(await takenAt({})).toBe('2026-03-15');
    expect(await takenAt({ OffsetTimeOriginal: '+01:00' })).toBe('2026-03-15T09:40:12+01:00');
    expect(await takenAt({ DateTimeOriginal: '0000:00:00 00:00:00' })).toBeNull();
    expect(await takenAt({ DateTimeOriginal: '2026:02:30 09:40:12' })).toBeNull();
  });

  it('is none of bytes that only begin like one, wherever they end', async () => {
    const photo = await photoWith('jpeg', 6);
    for (let length = 0; length < photo.length - 2; length += 7)
      expect(withoutMetadata(photo.subarray(0, length))).toBeNull();
    expect(withoutMetadata(Buffer.from('no picture at all'))).toBeNull();
  });
});
