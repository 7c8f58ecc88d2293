import { fork, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { childEnvironment } from '../../platform/config/child-environment.js';
import type { ExecutionProvider } from '../../platform/config/settings.js';
import type { ChildEnd } from './inference-metrics.js';
import type { EngineEvent } from '../model/engine-failure.js';
import type { ChildReady, ChildSettings, FromChild, PhotoInput, ToChild } from '../model/child-protocol.js';
import type { PhotoAnalysis } from '../model/photo-analyser.js';
import { InferenceCancelled, InferenceFailure } from './inference-failure.js';

const MEMORY_WATCH_MS = 250;
const KIB = 1024;
const MIB = 1024 * KIB;
/** The pixels lie outside V8's heap; what is left for it is plenty for outlines and messages. */
const HEAP_SHARE = 0.5;
const MAX_HEAP_MIB = 512;
/** Loading, proving and warming up a model, the first compilation on a GPU included. */
const START_LIMIT_MS = 180_000;

export interface ProcessOptions {
  /** The compiled program, a .js file. */
  readonly entry: string;
  readonly child: ChildSettings;
  readonly maxResidentBytes: number;
}

export interface PhotoRequest extends PhotoInput {
  readonly timeoutMs: number;
}

interface ProcessEvents {
  ready(facts: ChildReady): void;
  unusable(reason: string): void;
  /** About the inference servers outside; `slots` follows it. */
  engine(event: EngineEvent): void;
  /** Comes exactly once, after every open request was settled. */
  ended(reason: ChildEnd): void;
}

interface Open {
  readonly resolve: (analysis: PhotoAnalysis) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** One forked inference process: its start, its requests, its memory and its end. */
export class InferenceProcess {
  /** 0 until it is ready, and while no inference server can be used. */
  slots = 0;
  served = 0;
  provider: ExecutionProvider | undefined;
  private readonly child: ChildProcess;
  private readonly open = new Map<number, Open>();
  private readonly watch: NodeJS.Timeout;
  private readonly startLimit: NodeJS.Timeout;
  private nextRequestId = 1;
  private end: ChildEnd | undefined;
  private cancelled: number | undefined;
  /** Photos that it takes at once while it can work. */
  private ableSlots = 0;
  private engineAway = false;
  private gone = false;
  private onExit: () => void = () => undefined;
  /** Resolves when the process is gone. */
  readonly exited: Promise<void>;

  constructor(
    private readonly options: ProcessOptions,
    private readonly events: ProcessEvents,
  ) {
    const heapMib = Math.round(Math.min(MAX_HEAP_MIB, (options.maxResidentBytes / MIB) * HEAP_SHARE));
    this.child = fork(options.entry, [], {
      serialization: 'advanced',
      execArgv: ['--enable-source-maps', `--max-old-space-size=${heapMib}`],
      // Few arenas keep glibc from holding on to memory that decoded pictures leave behind (lovell/sharp #955).
      env: childEnvironment({ MALLOC_ARENA_MAX: '2' }),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.exited = new Promise((resolve) => (this.onExit = resolve));
    this.child.on('message', (message) => this.receive(message as FromChild));
    this.child.on('error', () => this.conclude());
    this.child.on('exit', (_code, signal) => {
      // A crash has a signal of its own; this one was sent by an operator or by the system's memory guard.
      if (signal === 'SIGKILL') this.end ??= 'killed';
      this.conclude();
    });
    this.watch = setInterval(() => void this.watchMemory(), MEMORY_WATCH_MS);
    this.watch.unref();
    this.startLimit = setTimeout(() => this.kill('timeout'), START_LIMIT_MS);
    this.startLimit.unref();
    this.post({ kind: 'start', settings: options.child });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get busy(): number {
    return this.open.size;
  }

  /** Rejects with InferenceFailure or InferenceCancelled. Cancelling ends the process: a run cannot be interrupted. */
  analyse(request: PhotoRequest, signal: AbortSignal): Promise<PhotoAnalysis> {
    const requestId = this.nextRequestId++;
    const cancel = () => {
      this.cancelled = requestId;
      this.kill('cancelled');
    };
    return new Promise<PhotoAnalysis>((resolve, reject) => {
      const timer = setTimeout(() => this.expire(requestId), request.timeoutMs);
      this.open.set(requestId, { resolve, reject, timer });
      signal.addEventListener('abort', cancel, { once: true });
      const { photo, mmPerPixel, cardCorrections = null } = request;
      this.post({ kind: 'analyse', requestId, photo, mmPerPixel, cardCorrections });
    }).finally(() => signal.removeEventListener('abort', cancel));
  }

  /** Ends the process at once; open requests fail and may be repeated. */
  kill(reason: ChildEnd): void {
    this.end ??= reason;
    this.slots = 0;
    this.child.kill('SIGKILL');
  }

  private receive(message: FromChild): void {
    switch (message.kind) {
      case 'ready':
        clearTimeout(this.startLimit);
        if (this.end !== undefined) return;
        this.ableSlots = message.slots;
        this.slots = this.engineAway ? 0 : message.slots;
        this.provider = message.provider;
        return this.events.ready(message);
      case 'engine':
        return this.hear(message.event);
      case 'unusable':
        this.end ??= 'unusable';
        return this.events.unusable(message.reason);
      case 'analysed':
        this.served += 1;
        return this.take(message.requestId)?.resolve(message.analysis);
      case 'refused': {
        this.served += 1;
        // The servers were away, which says nothing of the photo.
        if (message.code === 'service.unavailable')
          return this.take(message.requestId)?.reject(new InferenceCancelled());
        const code = message.code === 'model.output_invalid' ? message.code : 'processing.failed';
        return this.take(message.requestId)?.reject(new InferenceFailure(code, message.retryable));
      }
    }
  }

  private hear(event: EngineEvent): void {
    if (event.what !== 'failed') this.engineAway = event.what === 'away';
    if (this.end === undefined) this.slots = this.engineAway ? 0 : this.ableSlots;
    this.events.engine(event);
  }

  private expire(requestId: number): void {
    this.take(requestId)?.reject(new InferenceFailure('processing.timeout', true));
    this.kill('timeout');
  }

  private take(requestId: number): Open | undefined {
    const open = this.open.get(requestId);
    if (open === undefined) return undefined;
    clearTimeout(open.timer);
    this.open.delete(requestId);
    return open;
  }

  private conclude(): void {
    if (this.gone) return;
    this.gone = true;
    this.slots = 0;
    clearInterval(this.watch);
    clearTimeout(this.startLimit);
    for (const requestId of [...this.open.keys()]) {
      const meant = this.end === 'stopped' || requestId === this.cancelled;
      this.take(requestId)?.reject(
        meant ? new InferenceCancelled() : new InferenceFailure('processing.failed', true, this.end === 'killed'),
      );
    }
    this.onExit();
    this.events.ended(this.end ?? 'crashed');
  }

  private async watchMemory(): Promise<void> {
    if (this.child.pid === undefined || this.gone) return;
    const residentBytes = await readResidentBytes(this.child.pid);
    if (!this.gone && (residentBytes ?? 0) > this.options.maxResidentBytes) this.kill('memory');
  }

  private post(message: ToChild): void {
    // The exit of a process that is already gone settles its requests.
    if (this.child.connected) this.child.send(message, () => undefined);
  }
}

/** Resident memory of a process in bytes (proc(5), VmRSS); null where the system does not tell or the process is gone. */
async function readResidentBytes(pid: number): Promise<number | null> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    return kib === undefined ? null : Number(kib) * KIB;
  } catch {
    return null;
  }
}
