import { writeSync } from 'node:fs';

/** Longest time that one line blocks the process while its reader is slow. */
const PATIENCE_MS = 1000;
const PAUSE_MS = 10;
/** Longest wait of a gathered line, and most bytes that wait. */
const GATHER_MS = 50;
const GATHER_CHARACTERS = 16_384;
const STANDARD_OUTPUT = 1;

/**
 * Standard output for log lines: whole lines, in order, written at once. A reader that is gone is no fault and ends
 * the writing. A reader that does not read loses the lines that it has no room for, and holds the process up for a
 * second at most; pino's own output waits for both without end. Lines that come by the thousand may be gathered, as a
 * write for each costs a busy gateway more than making the line. Gathered lines are written before any other line,
 * and when the process ends.
 */
export class LogOutput {
  private rest: Uint8Array = Buffer.alloc(0);
  private gone = false;
  private stalled = false;
  private dropped = 0;
  private gathered = '';
  private gathering: NodeJS.Timeout | undefined;

  constructor(
    private readonly writeSome: (bytes: Uint8Array) => number = (bytes) => writeSync(STANDARD_OUTPUT, bytes),
  ) {}

  /** Gathers the line with those that follow within 50 ms. */
  writeSoon(line: string): void {
    this.gathered += line;
    if (this.gathered.length >= GATHER_CHARACTERS) this.flush();
    else this.gathering ??= setTimeout(() => this.flush(), GATHER_MS).unref();
  }

  /** Writes the gathered lines. */
  flush(): void {
    clearTimeout(this.gathering);
    this.gathering = undefined;
    const lines = this.gathered;
    this.gathered = '';
    if (lines !== '') this.put(lines);
  }

  write(line: string): void {
    this.flush();
    this.put(line);
  }

  private put(lines: string): void {
    if (this.gone) return;
    // A line that has begun is finished first, so that lines stay whole.
    if (this.rest.length > 0 && !this.drain()) {
      this.dropped += countLines(lines);
      return;
    }
    const told =
      this.dropped > 0
        ? `${JSON.stringify({ level: 40, time: new Date().toISOString(), lines: this.dropped, event: 'log.lines_dropped' })}\n`
        : '';
    this.dropped = 0;
    this.rest = Buffer.from(told + lines, 'utf8');
    this.drain();
  }

  /** True when nothing is left to write. */
  private drain(): boolean {
    const deadline = performance.now() + (this.stalled ? 0 : PATIENCE_MS);
    while (this.rest.length > 0 && !this.gone) {
      try {
        this.rest = this.rest.subarray(this.writeSome(this.rest));
        this.stalled = false;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== 'EAGAIN' && code !== 'EBUSY') this.gone = true;
        else if (performance.now() >= deadline) {
          this.stalled = true;
          return false;
        } else pause();
      }
    }
    return !this.gone;
  }
}

function countLines(lines: string): number {
  return lines.split('\n').length - 1;
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}
