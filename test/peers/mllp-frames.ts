import { EventEmitter, once } from 'node:events';

const VT = 0x0b;
const END = Buffer.from([0x1c, 0x0d]);

export function frame(message: string | Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([VT]), Buffer.from(message as Uint8Array), END]);
}

/** Messages out of a well-behaved stream of frames, written apart from the gateway's own decoder. */
export class FrameCollector {
  readonly messages: Buffer[] = [];
  private rest = Buffer.alloc(0);
  private taken = 0;
  private readonly arrivals = new EventEmitter();

  push(chunk: Buffer): Buffer[] {
    this.rest = Buffer.concat([this.rest, chunk]);
    const found: Buffer[] = [];
    for (let end = this.rest.indexOf(END); end !== -1; end = this.rest.indexOf(END)) {
      found.push(this.rest.subarray(this.rest.indexOf(VT) + 1, end));
      this.rest = this.rest.subarray(end + END.length);
    }
    this.messages.push(...found);
    if (found.length > 0) this.arrivals.emit('changed');
    return found;
  }

  end(): void {
    this.arrivals.emit('changed');
    this.arrivals.emit('end');
  }

  async waitFor(count: number): Promise<readonly Buffer[]> {
    while (this.messages.length < count) await once(this.arrivals, 'changed');
    return this.messages;
  }

  /** The next that nobody took yet; null: the stream has ended before. */
  async next(hasEnded: () => boolean): Promise<Buffer | null> {
    while (this.messages.length <= this.taken) {
      if (hasEnded()) return null;
      await once(this.arrivals, 'changed');
    }
    this.taken += 1;
    return this.messages[this.taken - 1] ?? null;
  }
}
