import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiClient } from '../support/api-client.js';
import { startGateway, type Gateway } from '../support/gateway.js';
import { SecondCaller, type Waiting } from './second-caller.js';
import { TurnMeter } from './turn-meter.js';

/** What the gateway may take of the machine, everything in its process together: heap, photos, threads. */
export const MEMORY_LIMIT_MIB = 512;
/** Longest that somebody else waits meanwhile. */
export const WAIT_LIMIT_MS = 250;
/** What a turn may take of the processor. */
const TURN_MS = 50;
/** Other processes share the processors: only what is slow each time is the gateway's. */
const TRIES = 3;
/** Heaps of V8 end at half of it; the rest is bytes outside of them. Inference has processes of its own, with limits of its own. */
const HEAP_MIB = 256;

/** A gateway in a process of its own with little memory, a caller who abuses it, and one who only wants an answer. */
export class AbuseGround {
  private readonly startedAs: string;

  private constructor(
    readonly gateway: Gateway,
    readonly client: ApiClient,
    readonly neighbour: SecondCaller,
    readonly turns: TurnMeter,
    private readonly folder: string,
  ) {
    this.startedAs = this.identity();
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<AbuseGround> {
    const folder = await mkdtemp(join(tmpdir(), 'sutura-turns-'));
    const turnsFile = join(folder, 'turns');
    const meter = TurnMeter.variables(turnsFile);
    const gateway = await startGateway({
      env: {
        ...meter.env,
        NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB} ${meter.options}`,
        SUTURA_WRITES_PER_S: '10000',
        SUTURA_WRITE_BURST: '10000',
        ...env,
      },
    });
    const client = await gateway.createClient();
    // Definitions are read and paths are compiled with their first use; what a long-running gateway does is what counts.
    await client.request('POST', '/fhir/Patient', { json: { resourceType: 'Patient', name: [{ family: 'Example' }] } });
    await client.request('POST', '/fhir/Patient/$validate', {
      json: {
        resourceType: 'Patient',
        extension: Array.from({ length: 900 }, () => ({ url: 'urn:x', valueString: 'a' })),
        mood: 1,
      },
    });
    const turns = new TurnMeter(gateway.process, turnsFile);
    return new AbuseGround(gateway, client, new SecondCaller(gateway.baseUrl), turns, folder);
  }

  /** Pid and start time: another process has others. */
  identity(): string {
    const stat = readFileSync(`/proc/${this.gateway.process.pid}/stat`, 'utf8');
    return `${this.gateway.process.pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  }

  get isSameProcess(): boolean {
    return !this.gateway.process.hasExited && this.identity() === this.startedAs;
  }

  /** The most memory that the process ever had, as the kernel counted it. */
  get peakMib(): number {
    const status = readFileSync(`/proc/${this.gateway.process.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  }

  /** Does what abuses the gateway, up to three times where somebody waited long or a turn was; the shortest of the longest of each. */
  async during<T>(
    abuse: () => Promise<T>,
    waitLimitMs = WAIT_LIMIT_MS,
  ): Promise<{ readonly answer: T; readonly waiting: Waiting; readonly turnMs: number }> {
    let turnMs = Infinity;
    let slowestMs = Infinity;
    for (let tries = 1; ; tries += 1) {
      await this.neighbour.waited();
      await this.turns.longestMs();
      const answer = await abuse();
      turnMs = Math.min(turnMs, await this.turns.longestMs());
      const waiting = await this.neighbour.waited();
      slowestMs = Math.min(slowestMs, waiting.slowestMs);
      const isGood = slowestMs <= waitLimitMs && turnMs <= TURN_MS;
      if (isGood || tries === TRIES) return { answer, waiting: { ...waiting, slowestMs }, turnMs };
    }
  }

  async stop(): Promise<void> {
    await this.neighbour.stop();
    await this.gateway.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
