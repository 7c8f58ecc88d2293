import sharp from 'sharp';
import type { ApiClient } from '../../../support/api-client.js';
import { drawWoundPhoto } from '../../../support/wound-photo.js';

const SIZE = { width: 400, height: 300 };
const MARK_PX = 8;
/** Of a job on a busy machine. */
export const LONGEST_WAIT_MS = 240_000;
/** Of the second of two outlines, in each direction. */
const SECOND_SHARE = 0.8;

type Kind = 'one' | 'two' | 'none';

interface Drawing {
  readonly png: Buffer;
  readonly areaPx: number;
}

/** Small photos whose wounds have known pixels, no two of the same bytes. Their scale makes the area. */
export class Photos {
  private count = 0;

  private constructor(private readonly drawings: Readonly<Record<Kind, Drawing>>) {}

  /** Has each drawing measured once by the gateway itself. */
  static async measuredBy(client: ApiClient): Promise<Photos> {
    const [one, none] = await Promise.all([
      drawWoundPhoto({ ...SIZE, format: 'png' }),
      drawWoundPhoto({ ...SIZE, format: 'png', withoutWound: true }),
    ]);
    const second = await sharp(one)
      .resize({ width: SIZE.width * SECOND_SHARE, height: SIZE.height * SECOND_SHARE })
      .extract({ left: 40, top: 0, width: SIZE.width * SECOND_SHARE - 80, height: SIZE.height * SECOND_SHARE })
      .toBuffer();
    const two = await sharp(one)
      .extend({ right: SIZE.width * SECOND_SHARE - 80, background: { r: 222, g: 178, b: 152 } })
      .composite([{ input: second, left: SIZE.width, top: 30 }])
      .png()
      .toBuffer();
    const measured = async (png: Buffer): Promise<Drawing> => {
      const { id } = await client.startJob({ imageId: await client.uploadPhoto(png) });
      const { result } = await client.waitForJob(id, LONGEST_WAIT_MS);
      return { png, areaPx: result.wounds[0]?.area.pixels ?? 0 };
    };
    const [ofOne, ofTwo, ofNone] = await Promise.all([one, two, none].map(measured));
    return new Photos({ one: ofOne!, two: ofTwo!, none: ofNone! });
  }

  /** The next photo, and the scale by which its largest outline is so large. */
  async draw(areaCm2: number, kind: Kind): Promise<{ readonly bytes: Buffer; readonly mmPerPixel: number }> {
    const { png, areaPx } = this.drawings[areaCm2 === 0 ? 'none' : kind];
    this.count += 1;
    const mark = { width: MARK_PX, height: MARK_PX, channels: 3 as const };
    const background = { r: 150 + (this.count % 60), g: 130 + Math.floor(this.count / 60), b: 120 };
    const bytes = await sharp(png)
      .composite([{ input: { create: { ...mark, background } }, left: 0, top: 0 }])
      .png({ compressionLevel: 1 })
      .toBuffer();
    return { bytes, mmPerPixel: areaCm2 === 0 ? 0.2 : scaleOf(areaCm2, areaPx) };
  }

  /** The scale by which the same outline has another area. */
  scaleFor(areaCm2: number): number {
    return scaleOf(areaCm2, this.drawings.one.areaPx);
  }
}

function scaleOf(areaCm2: number, areaPx: number): number {
  return Math.sqrt((100 * areaCm2) / areaPx);
}
