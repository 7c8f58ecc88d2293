const VT = 0x0b;
const FS = 0x1c;
const CR = 0x0d;
const LF = 0x0a;
/** Bytes kept of a frame that is too long: enough for its header. */
const KEPT_BEGINNING_BYTES = 64 * 1024;
const SMALLEST_STORE_BYTES = 8 * 1024;

export type FrameEvent =
  | { readonly kind: 'frame'; readonly bytes: Buffer }
  /** A frame that had not ended when the next one began. */
  | { readonly kind: 'discarded'; readonly sizeBytes: number }
  /** Bytes between frames. */
  | { readonly kind: 'junk'; readonly sizeBytes: number }
  /** Nothing is decoded after either of these. */
  | { readonly kind: 'oversize'; readonly beginning: Buffer }
  | { readonly kind: 'flooded' };

export interface FrameLimits {
  readonly maxFrameBytes: number;
  /** Limit for consecutive bytes outside a frame. */
  readonly maxJunkBytes: number;
}

export function encodeFrame(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(message.length + 3);
  frame[0] = VT;
  frame.set(message, 1);
  frame[message.length + 1] = FS;
  frame[message.length + 2] = CR;
  return frame;
}

/**
 * Decodes frames from a stream of bytes: VT, the message, FS and CR, in whatever pieces they arrive. A frame is
 * complete at FS, since the CR may be late or missing; that CR, or LF, is then skipped.
 */
export class FrameDecoder {
  private isOpen = false;
  /**
   * Its first `frameBytes` are what has arrived of the open frame. It grows by doubling, so that a sender of single
   * bytes does not cost an object each.
   */
  private store = Buffer.alloc(0);
  private frameBytes = 0;
  private junkBytes = 0;
  private isAfterFrame = true;
  private isDead = false;

  constructor(private readonly limits: FrameLimits) {}

  get isInFrame(): boolean {
    return this.isOpen;
  }

  push(chunk: Buffer): FrameEvent[] {
    const events: FrameEvent[] = [];
    let at = 0;
    while (at < chunk.length && !this.isDead)
      at = this.isOpen ? this.collect(chunk, at, events) : this.skip(chunk, at, events);
    return events;
  }

  /** Skips bytes outside a frame, up to the next VT. */
  private skip(chunk: Buffer, at: number, events: FrameEvent[]): number {
    const start = chunk.indexOf(VT, at);
    let from = at;
    if (this.isAfterFrame) while (from < chunk.length && (chunk[from] === CR || chunk[from] === LF)) from += 1;
    const junkBytes = (start === -1 ? chunk.length : start) - from;
    if (junkBytes > 0) {
      this.isAfterFrame = false;
      this.junkBytes += junkBytes;
    }
    if (this.junkBytes > this.limits.maxJunkBytes) return this.die(events, { kind: 'flooded' });
    if (start === -1) return chunk.length;
    if (this.junkBytes > 0) events.push({ kind: 'junk', sizeBytes: this.junkBytes });
    this.open();
    return start + 1;
  }

  /** Collects bytes of a frame, up to its FS, or to a VT that begins another one. */
  private collect(chunk: Buffer, at: number, events: FrameEvent[]): number {
    const end = chunk.indexOf(FS, at);
    const stop = end === -1 ? chunk.length : end;
    // Only within the frame: a VT after its end belongs to the next one.
    const restart = chunk.subarray(at, stop).lastIndexOf(VT);
    if (restart !== -1) {
      events.push({ kind: 'discarded', sizeBytes: this.frameBytes + restart });
      this.open();
      return at + restart + 1;
    }
    const piece = chunk.subarray(at, stop);
    if (this.frameBytes + piece.length > this.limits.maxFrameBytes) {
      const beginning = Buffer.concat([this.store.subarray(0, this.frameBytes), piece]).subarray(
        0,
        KEPT_BEGINNING_BYTES,
      );
      return this.die(events, { kind: 'oversize', beginning });
    }
    if (end === -1) {
      this.keep(piece);
      return chunk.length;
    }
    events.push({ kind: 'frame', bytes: this.complete(piece) });
    this.isOpen = false;
    this.isAfterFrame = true;
    return end + 1;
  }

  private keep(piece: Buffer): void {
    const neededBytes = this.frameBytes + piece.length;
    if (neededBytes > this.store.length) {
      const larger = Buffer.allocUnsafeSlow(
        Math.min(
          Math.max(neededBytes, this.store.length * 2, SMALLEST_STORE_BYTES),
          Math.max(neededBytes, this.limits.maxFrameBytes),
        ),
      );
      this.store.copy(larger, 0, 0, this.frameBytes);
      this.store = larger;
    }
    piece.copy(this.store, this.frameBytes);
    this.frameBytes = neededBytes;
  }

  private complete(piece: Buffer): Buffer {
    if (this.frameBytes === 0) return piece;
    this.keep(piece);
    const frame = this.store.subarray(0, this.frameBytes);
    this.store = Buffer.alloc(0);
    return frame;
  }

  private open(): void {
    this.isOpen = true;
    this.frameBytes = 0;
    this.junkBytes = 0;
  }

  private die(events: FrameEvent[], last: FrameEvent): number {
    this.isDead = true;
    this.isOpen = false;
    this.store = Buffer.alloc(0);
    events.push(last);
    return Number.POSITIVE_INFINITY;
  }
}
