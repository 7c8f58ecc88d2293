/** The EXIF block of a photo (Exif 2.32 / CIPA DC-008, over TIFF 6.0), as far as it is used. */
export interface ExifFacts {
  /** 1 to 8; 1 where the block has none. */
  readonly orientation: number;
  /** FHIR dateTime. A camera that states no zone gives the day alone, since a time without its zone is ambiguous. */
  readonly takenAt: string | null;
}

export const NO_EXIF: ExifFacts = { orientation: 1, takenAt: null };

const TAG = { orientation: 0x0112, exifFolder: 0x8769, takenAt: 0x9003, offset: 0x9011 } as const;
const MARK = 'Exif\0\0';
const ENTRY_BYTES = 12;
const ASCII_TYPE = 2;
const SHORT_TYPE = 3;
const TAKEN_AT = /^(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)/;
const OFFSET = /^[+-](0\d|1[0-4]):[0-5]\d/;

/** Reads a TIFF structure, with the mark before it that a JPEG has or without. Never throws: damaged entries are ignored. */
export function readExif(block: Buffer): ExifFacts {
  try {
    const reader = new TiffReader(
      block.toString('latin1', 0, MARK.length) === MARK ? block.subarray(MARK.length) : block,
    );
    const main = reader.folder(reader.firstFolder());
    const orientation = main.short(TAG.orientation) ?? 1;
    const details = main.pointer(TAG.exifFolder);
    const taken = details === null ? null : reader.folder(details);
    return {
      orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
      takenAt: taken === null ? null : takenAtOf(taken.text(TAG.takenAt), taken.text(TAG.offset)),
    };
  } catch {
    return NO_EXIF;
  }
}

/** A TIFF structure that says nothing but how the photo is to be turned. */
export function orientationOnly(orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('MM\0*', 0, 'latin1');
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(1, 8);
  tiff.writeUInt16BE(TAG.orientation, 10);
  tiff.writeUInt16BE(SHORT_TYPE, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}

function takenAtOf(text: string | null, offset: string | null): string | null {
  const [, year, month, day, hour, minute, second] = TAKEN_AT.exec(text ?? '') ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const date = `${year}-${month}-${day}`;
  // Cameras without a clock write zeros.
  if (
    Number.isNaN(Date.parse(`${date}T00:00:00Z`)) ||
    new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10) !== date
  )
    return null;
  const zone = OFFSET.exec(offset ?? '')?.[0];
  const moment = `${date}T${hour}:${minute}:${second}${zone}`;
  return zone === undefined || Number.isNaN(Date.parse(moment)) ? date : moment;
}

class TiffReader {
  private readonly little: boolean;

  constructor(readonly bytes: Buffer) {
    this.little = bytes.toString('latin1', 0, 2) === 'II';
  }

  firstFolder(): number {
    return this.long(4);
  }

  folder(at: number): TiffFolder {
    return new TiffFolder(this, at);
  }

  short(at: number): number {
    return this.little ? this.bytes.readUInt16LE(at) : this.bytes.readUInt16BE(at);
  }

  long(at: number): number {
    return this.little ? this.bytes.readUInt32LE(at) : this.bytes.readUInt32BE(at);
  }
}

class TiffFolder {
  constructor(
    private readonly reader: TiffReader,
    private readonly at: number,
  ) {}

  short(tag: number): number | null {
    const entry = this.entry(tag, SHORT_TYPE);
    return entry === null ? null : this.reader.short(entry + 8);
  }

  pointer(tag: number): number | null {
    const entry = this.entry(tag);
    return entry === null ? null : this.reader.long(entry + 8);
  }

  text(tag: number): string | null {
    const entry = this.entry(tag, ASCII_TYPE);
    if (entry === null) return null;
    const length = this.reader.long(entry + 4);
    // A value of four bytes is in the entry itself.
    const start = length <= 4 ? entry + 8 : this.reader.long(entry + 8);
    return this.reader.bytes.toString('latin1', start, start + Math.min(length, 64)).replace(/\0.*$/s, '');
  }

  private entry(tag: number, type?: number): number | null {
    const count = this.reader.short(this.at);
    for (let index = 0; index < count; index += 1) {
      const entry = this.at + 2 + index * ENTRY_BYTES;
      if (this.reader.short(entry) === tag)
        return type === undefined || this.reader.short(entry + 2) === type ? entry : null;
    }
    return null;
  }
}
