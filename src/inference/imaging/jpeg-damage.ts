import type { Paced } from '../../platform/turns/turns.js';
import { JpegHuffmanTable } from './jpeg-bits.js';
import { nextMarker } from './jpeg-markers.js';
import { JpegScanReader, type JpegComponent, type JpegScan } from './jpeg-scan.js';

const MARKER = {
  end: 0xd9,
  huffman: 0xc4,
  scan: 0xda,
  quantization: 0xdb,
  lines: 0xdc,
  interval: 0xdd,
  adobe: 0xee,
};
/** Frames that this understands, all of Huffman codes: baseline, extended sequential, progressive. */
const BASELINE = 0xc0;
const EXTENDED = 0xc1;
const PROGRESSIVE = 0xc2;
/** Where Adobe's segment says what the components are: 1 is YCbCr. */
const ADOBE_TRANSFORM = 11;
const ADOBE = 'Adobe';
/** Ids of components by which libjpeg knows red, green and blue where no segment says what they are. */
const RED_GREEN_BLUE = 'RGB';
const BITS_OF_SAMPLES = 8;
const BLOCK = 8;
const MOST_SAMPLING = 4;
/** Scans of the whole picture that are read at most; progressive pictures have about ten. */
const MOST_PASSES = 64;

interface Frame {
  readonly progressive: boolean;
  readonly components: readonly JpegComponent[];
  readonly mcusWide: number;
  readonly mcusHigh: number;
  readonly blocks: number;
}

/** `unknown`: a kind of JPEG that is not looked into, such as arithmetic coding or twelve bits. */
export type JpegVerdict = 'whole' | 'damaged' | 'unknown';

/**
 * Whether the entropy-coded bits of a JPEG are those of a whole picture (ITU-T T.81). Decoders paint something whatever comes: zeroed, exchanged
 * and missing bytes leave shifted, grey or scrambled parts, with a warning at most. Here every code must exist, every run stay in its block, every mean be one
 * that samples can have, every restart marker be in its place, and each scan use up its bytes and no more.
 * Junk between segments and behind the picture, and padding before a marker, are no damage. Of changed bits that stay within the values of coefficients nothing can be seen.
 */
export function* jpegVerdict(bytes: Uint8Array): Paced<JpegVerdict> {
  return yield* new JpegWalk(bytes).verdict();
}

class JpegWalk {
  private readonly view: DataView;
  private readonly steps = new Map<number, number>();
  private readonly dcTables = new Map<number, JpegHuffmanTable>();
  private readonly acTables = new Map<number, JpegHuffmanTable>();
  private restartInterval = 0;
  private transform: number | undefined;
  private frame: Frame | null = null;
  private blocksRead = 0;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  *verdict(): Paced<JpegVerdict> {
    for (let at = yield* nextMarker(this.bytes, 2); at + 4 <= this.bytes.length;) {
      const code = this.bytes[at + 1]!;
      if (code === MARKER.end) break;
      const length = this.view.getUint16(at + 2);
      const end = at + 2 + length;
      if (length < 2 || end > this.bytes.length) return 'damaged';
      const next = code === MARKER.scan ? yield* this.readScan(at + 4, end) : this.readSegment(code, at + 4, end);
      if (typeof next === 'string') return next;
      at = yield* nextMarker(this.bytes, next ?? end);
    }
    return this.blocksRead > 0 ? 'whole' : 'unknown';
  }

  /** Tables and the frame; a verdict where the rest cannot be read. */
  private readSegment(code: number, at: number, end: number): JpegVerdict | null {
    if (code === MARKER.quantization) this.readSteps(at, end);
    else if (code === MARKER.huffman) return this.readTables(at, end);
    else if (code === MARKER.interval) this.restartInterval = this.view.getUint16(at);
    else if (code === MARKER.lines) return 'unknown';
    else if (code === MARKER.adobe && this.isAdobe(at, end)) this.transform = this.bytes[at + ADOBE_TRANSFORM];
    else if (code >= BASELINE && code <= 0xcf && code !== 0xc8 && code !== 0xcc) return this.readFrame(code, at, end);
    return null;
  }

  private readSteps(at: number, end: number): void {
    for (let from = at; from < end;) {
      const isWide = this.bytes[from]! >> 4 > 0;
      const step = isWide ? this.view.getUint16(from + 1) : this.bytes[from + 1]!;
      this.steps.set(this.bytes[from]! & 15, step);
      from += 1 + (isWide ? 128 : 64);
    }
  }

  private readTables(at: number, end: number): JpegVerdict | null {
    for (let from = at; from < end;) {
      const counts = this.bytes.subarray(from + 1, from + 17);
      const symbols = from + 17 + counts.reduce((sum, count) => sum + count, 0);
      if (counts.length < 16 || symbols > end) return 'damaged';
      const tables = this.bytes[from]! >> 4 === 0 ? this.dcTables : this.acTables;
      tables.set(this.bytes[from]! & 15, new JpegHuffmanTable(counts, this.bytes.slice(from + 17, symbols)));
      from = symbols;
    }
    return null;
  }

  private readFrame(code: number, at: number, end: number): JpegVerdict | null {
    const [precision, count] = [this.bytes[at]!, this.bytes[at + 5]!];
    const [heightPx, widthPx] = [this.view.getUint16(at + 1), this.view.getUint16(at + 3)];
    const known = [BASELINE, EXTENDED, PROGRESSIVE].includes(code) && precision === BITS_OF_SAMPLES && heightPx > 0;
    if (!known || this.frame !== null) return 'unknown';
    if (end < at + 6 + 3 * count || count === 0 || widthPx === 0) return 'damaged';
    const parts = Array.from({ length: count }, (_, index) =>
      this.bytes.subarray(at + 6 + 3 * index, at + 9 + 3 * index),
    );
    const factors = parts.map(([, sampling]) => [sampling! >> 4, sampling! & 15] as const);
    if (factors.some((pair) => pair.some((factor) => factor === 0 || factor > MOST_SAMPLING))) return 'damaged';
    const [across, down] = [Math.max(...factors.map(([x]) => x)), Math.max(...factors.map(([, y]) => y))];
    const mcusWide = Math.ceil(widthPx / (BLOCK * across));
    const mcusHigh = Math.ceil(heightPx / (BLOCK * down));
    const components = parts.map(([id, , table], index): JpegComponent => {
      const [x, y] = factors[index]!;
      const stride = mcusWide * x;
      return {
        id: id!,
        across: x,
        down: y,
        blocksWide: Math.ceil(Math.ceil((widthPx * x) / across) / BLOCK),
        blocksHigh: Math.ceil(Math.ceil((heightPx * y) / down) / BLOCK),
        stride,
        meanStep: this.steps.get(table!),
        nonZero: new Uint32Array(code === PROGRESSIVE ? stride * mcusHigh * y * 2 : 0),
      };
    });
    const blocks = components.reduce((sum, one) => sum + one.stride * mcusHigh * one.down, 0);
    this.frame = { progressive: code === PROGRESSIVE, components, mcusWide, mcusHigh, blocks };
    return null;
  }

  private *readScan(at: number, end: number): Paced<JpegVerdict | number> {
    const scan = this.scanAt(at, end);
    if (scan === null) return 'damaged';
    for (const { component } of scan.parts) this.blocksRead += component.blocksWide * component.blocksHigh;
    if (this.blocksRead > MOST_PASSES * this.frame!.blocks) return 'damaged';
    return (yield* new JpegScanReader(this.bytes, end, scan).read()) ?? 'damaged';
  }

  private scanAt(at: number, end: number): JpegScan | null {
    const { frame } = this;
    const count = this.bytes[at]!;
    const band = at + 1 + 2 * count;
    if (frame === null || count === 0 || count > 4 || band + 3 > end) return null;
    const parts = Array.from({ length: count }, (_, index) => {
      const [id, tables] = [this.bytes[at + 1 + 2 * index], this.bytes[at + 2 + 2 * index]!];
      const component = frame.components.find((one) => one.id === id);
      return component === undefined
        ? null
        : { component, dc: this.dcTables.get(tables >> 4), ac: this.acTables.get(tables & 15) };
    });
    const [first, last, successive] = [this.bytes[band]!, this.bytes[band + 1]!, this.bytes[band + 2]!];
    if (parts.includes(null) || (frame.progressive && (last > 63 || first > last || (first > 0 && count > 1))))
      return null;
    return {
      progressive: frame.progressive,
      parts: parts.filter((part) => part !== null),
      firstCoefficient: first,
      lastCoefficient: last,
      successiveHigh: frame.progressive ? successive >> 4 : 0,
      successiveLow: frame.progressive ? successive & 15 : 0,
      restartInterval: this.restartInterval,
      mcusWide: frame.mcusWide,
      mcusHigh: frame.mcusHigh,
      coloured: this.isColoured(frame),
    };
  }

  private isColoured({ components }: Frame): boolean {
    const ids = String.fromCharCode(...components.map(({ id }) => id));
    return components.length === 3 && (this.transform === undefined ? ids !== RED_GREEN_BLUE : this.transform === 1);
  }

  private isAdobe(at: number, end: number): boolean {
    return end > at + ADOBE_TRANSFORM && String.fromCharCode(...this.bytes.subarray(at, at + ADOBE.length)) === ADOBE;
  }
}
