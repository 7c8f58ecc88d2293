import type { Paced } from '../../platform/turns/turns.js';
import { JpegBits, type JpegHuffmanTable } from './jpeg-bits.js';

/** A component of a JPEG's frame, and what its scans have shown so far. */
export interface JpegComponent {
  readonly id: number;
  /** Sampling factors, in blocks of an MCU. */
  readonly across: number;
  readonly down: number;
  /** Blocks that hold the component, without those that fill the last MCU. */
  readonly blocksWide: number;
  readonly blocksHigh: number;
  /** Blocks of a row with those that fill the last MCU. */
  readonly stride: number;
  /** The step of quantization of the mean; undefined: its table has not come. */
  readonly meanStep: number | undefined;
  /** Of each block, the coefficients that are not 0, as two words of bits: what refining scans need to know. Empty where the frame is sequential. */
  readonly nonZero: Uint32Array;
}

/** One scan (T.81, B.2.3): its components with their tables, and of progressive ones the part of the coefficients that it carries. */
export interface JpegScan {
  readonly progressive: boolean;
  readonly parts: readonly {
    readonly component: JpegComponent;
    readonly dc: JpegHuffmanTable | undefined;
    readonly ac: JpegHuffmanTable | undefined;
  }[];
  readonly firstCoefficient: number;
  readonly lastCoefficient: number;
  /** Point transform of the scan before it, 0 for a first one. */
  readonly successiveHigh: number;
  readonly successiveLow: number;
  /** MCUs between two restart markers; 0: none. */
  readonly restartInterval: number;
  readonly mcusWide: number;
  readonly mcusHigh: number;
  /** True where its three components are brightness and two differences of colour (JFIF, YCbCr). */
  readonly coloured: boolean;
}

const LAST_COEFFICIENT = 63;
const RUN_OF_ZEROS = 15;
const MOST_MEAN_BITS = 11;
/** The mean of a block is eight times its level around 128; beyond it, by more than rounding, no encoder gets. */
const EIGHTHS = 8;
const MEAN_LIMIT = 1024;
const ROUNDING_STEPS = 2;
/** Weights of the differences of colour in red, green and blue (ITU-R BT.601, as JFIF has them). */
const RED_OF_CR = 1.402;
const GREEN_OF_CB = 0.344;
const GREEN_OF_CR = 0.714;
const BLUE_OF_CB = 1.772;
/** Levels by which roundings of an encoder's own may leave the colours that a screen has, beside those of quantization. */
const COLOUR_SLACK = 6;
/** MCUs between two looks at the clock. */
const PACE = 512;

/** Reads one scan to its end. Nothing is painted: what matters is that the bits are all used up, no more and no fewer, and mean something. */
export class JpegScanReader {
  private bits: JpegBits;
  private readonly means: Int32Array;
  /** Of the MCU that was read last, by component: sums of its means in steps of a level's eighth. */
  private readonly sums: Float64Array;
  private readonly looksAtColours: boolean;
  private readonly colourSlack: number;
  private endOfBandRun = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private at: number,
    private readonly scan: JpegScan,
  ) {
    this.bits = new JpegBits(bytes, at);
    this.means = new Int32Array(scan.parts.length);
    this.sums = new Float64Array(scan.parts.length);
    this.looksAtColours =
      scan.coloured && scan.parts.length === 3 && scan.firstCoefficient === 0 && scan.successiveHigh === 0;
    const steps = scan.parts.reduce((sum, { component }) => sum + (component.meanStep ?? 1), 0);
    this.colourSlack = COLOUR_SLACK + (steps * (1 << scan.successiveLow)) / EIGHTHS;
  }

  /** Where the marker behind the scan is; null where the scan is damaged. */
  *read(): Paced<number | null> {
    const { parts, restartInterval, mcusWide, mcusHigh } = this.scan;
    const alone = parts.length === 1 ? parts[0]!.component : null;
    const wide = alone === null ? mcusWide : alone.blocksWide;
    const total = wide * (alone === null ? mcusHigh : alone.blocksHigh);
    for (let mcu = 0, restarts = 0; mcu < total; mcu += 1) {
      if (restartInterval > 0 && mcu > 0 && mcu % restartInterval === 0 && !this.restart(restarts++ & 7)) return null;
      if (alone === null) this.readMcu(mcu % wide, Math.floor(mcu / wide));
      else this.readBlock(0, (mcu % wide) + Math.floor(mcu / wide) * alone.stride);
      if (this.bits.isBroken) return null;
      if (mcu % PACE === PACE - 1) yield;
    }
    const end = this.bits.end();
    return this.bits.isBroken || this.endOfBandRun > 0 ? null : end;
  }

  private readMcu(column: number, row: number): void {
    const { parts } = this.scan;
    this.sums.fill(0);
    for (let part = 0; part < parts.length; part += 1) {
      const { across, down, stride } = parts[part]!.component;
      for (let y = 0; y < down; y += 1)
        for (let x = 0; x < across; x += 1) this.readBlock(part, column * across + x + (row * down + y) * stride);
    }
    if (this.looksAtColours && !this.bits.isBroken) this.checkColour();
  }

  /** The mean colour of an MCU is one that a screen has, since each of its pixels was: means that are off by a lost difference are not. */
  private checkColour(): void {
    const [brightness, cb, cr] = [this.levelOf(0) + 128, this.levelOf(1), this.levelOf(2)];
    const red = brightness + RED_OF_CR * cr;
    const green = brightness - GREEN_OF_CB * cb - GREEN_OF_CR * cr;
    const blue = brightness + BLUE_OF_CB * cb;
    if (Math.min(red, green, blue) < -this.colourSlack || Math.max(red, green, blue) > 255 + this.colourSlack)
      this.fail();
  }

  private levelOf(part: number): number {
    const { across, down } = this.scan.parts[part]!.component;
    return this.sums[part]! / (EIGHTHS * across * down);
  }

  /** Bits, means and runs begin anew behind the marker of this number. */
  private restart(number: number): boolean {
    const at = this.bits.end();
    let marker = at + 1;
    while (this.bytes[marker] === 0xff) marker += 1;
    if (this.bits.isBroken || this.endOfBandRun > 0 || this.bytes[marker] !== 0xd0 + number) return false;
    this.at = marker + 1;
    this.bits = new JpegBits(this.bytes, this.at);
    this.means.fill(0);
    return true;
  }

  private readBlock(part: number, block: number): void {
    const { progressive, firstCoefficient, successiveHigh } = this.scan;
    if (!progressive) {
      this.readMean(part);
      this.readCoefficients(part, 1, LAST_COEFFICIENT);
    } else if (firstCoefficient === 0) {
      if (successiveHigh === 0) this.readMean(part);
      else this.bits.take(1);
    } else if (successiveHigh === 0) this.readBand(part, block);
    else this.refineBand(part, block);
  }

  private readMean(part: number): void {
    const { component, dc } = this.scan.parts[part]!;
    const length = dc === undefined ? MOST_MEAN_BITS + 1 : this.bits.symbol(dc);
    if (length > MOST_MEAN_BITS) return this.fail();
    const mean = this.means[part]! + this.bits.takeSigned(length);
    this.means[part] = mean;
    const step = component.meanStep ?? 1;
    const eighths = mean * (1 << this.scan.successiveLow) * step;
    this.sums[part]! += eighths;
    if (Math.abs(eighths) > MEAN_LIMIT + ROUNDING_STEPS * step) this.fail();
  }

  /** The other coefficients of a sequential block (T.81, F.2.2.2). */
  private readCoefficients(part: number, first: number, last: number): void {
    const { ac } = this.scan.parts[part]!;
    if (ac === undefined) return this.fail();
    for (let at = first; at <= last; at += 1) {
      const symbol = this.bits.symbol(ac);
      const size = symbol & 15;
      const run = symbol >> 4;
      if (size === 0) {
        if (run !== RUN_OF_ZEROS) return;
        at += RUN_OF_ZEROS;
        continue;
      }
      at += run;
      if (at > last) return this.fail();
      this.bits.take(size);
    }
  }

  /** A band of a progressive block, seen for the first time (T.81, G.1.2.2). */
  private readBand(part: number, block: number): void {
    if (this.endOfBandRun > 0) {
      this.endOfBandRun -= 1;
      return;
    }
    const { firstCoefficient, lastCoefficient } = this.scan;
    const { component, ac } = this.scan.parts[part]!;
    if (ac === undefined) return this.fail();
    for (let at = firstCoefficient; at <= lastCoefficient; at += 1) {
      const symbol = this.bits.symbol(ac);
      const size = symbol & 15;
      const run = symbol >> 4;
      if (size === 0 && run < RUN_OF_ZEROS) {
        this.endOfBandRun = (1 << run) + this.bits.take(run) - 1;
        return;
      }
      at += run;
      if (at > lastCoefficient) return this.fail();
      if (size === 0) continue;
      this.bits.take(size);
      mark(component.nonZero, block, at);
    }
  }

  /** A band that gets one bit more (T.81, G.1.2.3): each coefficient that is not 0 already takes a bit, wherever the run passes it. */
  private refineBand(part: number, block: number): void {
    const { firstCoefficient, lastCoefficient } = this.scan;
    const { component, ac } = this.scan.parts[part]!;
    if (ac === undefined) return this.fail();
    let at = firstCoefficient;
    if (this.endOfBandRun === 0)
      for (; at <= lastCoefficient; at += 1) {
        const symbol = this.bits.symbol(ac);
        const size = symbol & 15;
        const run = symbol >> 4;
        if (size > 1 || this.bits.isBroken) return this.fail();
        if (size === 0 && run < RUN_OF_ZEROS) {
          this.endOfBandRun = (1 << run) + this.bits.take(run);
          break;
        }
        if (size === 1) this.bits.take(1);
        at = this.passZeros(component.nonZero, block, at, run);
        if (size === 0) continue;
        if (at > lastCoefficient) return this.fail();
        mark(component.nonZero, block, at);
      }
    if (this.endOfBandRun === 0) return;
    for (; at <= lastCoefficient; at += 1) if (isMarked(component.nonZero, block, at)) this.bits.take(1);
    this.endOfBandRun -= 1;
  }

  /** Passes so many coefficients that are 0; the place of the next one, beyond the band where it has none. */
  private passZeros(nonZero: Uint32Array, block: number, from: number, run: number): number {
    let left = run;
    for (let at = from; at <= this.scan.lastCoefficient; at += 1) {
      if (isMarked(nonZero, block, at)) this.bits.take(1);
      else if (left === 0) return at;
      else left -= 1;
    }
    return this.scan.lastCoefficient + 1;
  }

  private fail(): void {
    this.bits.isBroken = true;
  }
}

function mark(nonZero: Uint32Array, block: number, coefficient: number): void {
  nonZero[block * 2 + (coefficient >> 5)]! |= 1 << (coefficient & 31);
}

function isMarked(nonZero: Uint32Array, block: number, coefficient: number): boolean {
  return ((nonZero[block * 2 + (coefficient >> 5)]! >>> (coefficient & 31)) & 1) === 1;
}
