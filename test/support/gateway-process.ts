import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { resolve } from 'node:path';
import { eventually } from './eventually.js';

const ROOT = resolve(__dirname, '../..');
const MAIN = resolve(ROOT, 'dist/src/main.js');

/** Of all files that this process runs, each of which evaluates this module anew. */
const RUNNING = Symbol.for('sutura.tests.gateways');
const running = ((process as { [RUNNING]?: Set<ChildProcess> })[RUNNING] ??= killedAtExit());

function killedAtExit(): Set<ChildProcess> {
  const children = new Set<ChildProcess>();
  process.on('exit', () => {
    for (const child of children) child.kill('SIGKILL');
  });
  return children;
}

/** One line of the gateway's log. */
export interface LogLine {
  readonly event: string;
  readonly [field: string]: unknown;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** What starts a gateway. */
export interface GatewayStarter {
  readonly program: string;
  readonly words: readonly string[];
  readonly cwd: string;
  /** In a process group of its own, as a terminal starts what is typed there. */
  readonly detached?: boolean;
}

const BUILT_PROGRAM: GatewayStarter = { program: process.execPath, words: ['--enable-source-maps', MAIN], cwd: ROOT };

/** A gateway as an operating-system process of its own, with everything it printed. */
export class GatewayProcess {
  private output = '';
  private readonly child: ChildProcess;
  readonly exited: Promise<Exit>;
  private exit: Exit | null = null;

  constructor(variables: NodeJS.ProcessEnv, { program, words, cwd, detached }: GatewayStarter = BUILT_PROGRAM) {
    this.child = spawn(program, words, { cwd, env: variables, stdio: ['ignore', 'pipe', 'pipe'], detached });
    running.add(this.child);
    this.child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString('utf8')));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.output += chunk.toString('utf8')));
    this.exited = new Promise((ended) => {
      this.child.once('exit', (code, signal) => {
        running.delete(this.child);
        this.exit = { code, signal };
        ended(this.exit);
      });
    });
  }

  get pid(): number {
    const { pid } = this.child;
    if (pid === undefined) throw new Error('The gateway did not start.');
    return pid;
  }

  get hasExited(): boolean {
    return this.exit !== null;
  }

  /** Everything printed so far, standard output and error together. */
  get text(): string {
    return this.output;
  }

  get lines(): readonly LogLine[] {
    return linesOf(this.output);
  }

  events(name: string): readonly LogLine[] {
    return this.lines.filter((line) => line.event === name);
  }

  /** The first log line of this event. Fails with the whole output where the process ends before. */
  async waitForEvent(name: string, timeoutMs = 30_000): Promise<LogLine> {
    const found = await eventually(
      `log event ${name}`,
      () => this.events(name)[0] ?? (this.exit === null ? undefined : ('exited' as const)),
      timeoutMs,
    ).catch((fault: unknown) => {
      throw new Error(`${String(fault)}\n${this.output.slice(-4000)}`);
    });
    if (found === 'exited')
      throw new Error(`The gateway ended (${JSON.stringify(this.exit)}) before ${name}:\n${this.output.slice(-4000)}`);
    return found;
  }

  /** It no longer keeps the process alive that started it, with which it ends. */
  unref(): void {
    this.child.unref();
    for (const stream of [this.child.stdout, this.child.stderr]) (stream as Socket | null)?.unref();
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** Process ids of the inference children that live now. */
  inferencePids(): number[] {
    return childrenOf(this.pid).filter((pid) => readProc(pid, 'cmdline').includes('inference-child'));
  }
}

/** What a gateway printed, without what is no line of its log. */
export function linesOf(text: string): readonly LogLine[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      return [JSON.parse(line) as LogLine];
    } catch {
      return [];
    }
  });
}

/** Direct children of a process (Linux /proc). */
export function childrenOf(pid: number): number[] {
  const listed = readProc(pid, `task/${pid}/children`).trim();
  return listed === '' ? [] : listed.split(' ').map(Number);
}

/** True while the process exists and is no zombie. */
export function isAlive(pid: number): boolean {
  const state = /\)\s+(\S)/.exec(readProc(pid, 'stat'))?.[1];
  return state !== undefined && state !== 'Z' && state !== 'X';
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
