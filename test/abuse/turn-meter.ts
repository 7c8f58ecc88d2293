import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { eventually } from '../support/eventually.js';
import type { GatewayProcess } from '../support/gateway-process.js';

const METER = resolve(__dirname, '../support/turn-meter.cjs');
const LOOK_MS = 10;

/** The longest turn of a gateway's event loop, in processor time: what others wait for on a machine that does nothing else. */
export class TurnMeter {
  private read = 0;

  constructor(
    private readonly process: GatewayProcess,
    private readonly file: string,
  ) {}

  /** What a gateway is started with to be measured. */
  static variables(file: string): { readonly options: string; readonly env: Readonly<Record<string, string>> } {
    return { options: `--require ${METER}`, env: { TURN_METER_FILE: file } };
  }

  /** Milliseconds, since the last call. */
  async longestMs(): Promise<number> {
    this.process.signal('SIGUSR2');
    const lines = await eventually('the meter answers', () => this.linesAfter(this.read), 60_000, LOOK_MS);
    this.read += 1;
    return Number(lines);
  }

  private linesAfter(count: number): string | undefined {
    if (!existsSync(this.file)) return undefined;
    const lines = readFileSync(this.file, 'utf8').split('\n');
    return lines.length > count + 1 ? lines[count] : undefined;
  }
}
