import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A gateway with open connections takes its time; whoever changes its program does not wait for them. */
const STOP_PATIENCE_MS = 700;
const LAST_STOP_PATIENCE_MS = 35_000;
/** From the first connection that a gateway would take to the start of the one that waits: meanwhile it answers. */
const BREATH_MS = 1500;
/** One inference process, if nothing else is set: each is started again with every change. */
const VARIABLES = { SUTURA_WORKER_PROCESSES: '1', ...process.env };
const FLAGS = ['--enable-source-maps', '--max-semi-space-size=32'];
const STANDBY = join(import.meta.dirname, 'standby.mjs');

const isOver = (child) => child.exitCode !== null || child.signalCode !== null;

async function end(child, patienceMs) {
  if (child === null || isOver(child)) return;
  const over = once(child, 'exit');
  child.kill('SIGTERM');
  const impatience = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  await over;
  clearTimeout(impatience);
}

/** The gateway of the sources as they are, and the process that takes over from it after a change. */
export class GatewayTurns {
  current = null;
  standby = null;
  isEnding = false;
  breath;

  constructor({ folder, packages, inspect, say }) {
    this.words = [folder, JSON.stringify(packages)];
    this.inspect = inspect;
    this.say = say;
  }

  /** Ends the gateway and starts the next, from what is in the folder now. */
  async next() {
    const next = this.standby ?? this.fork();
    this.standby = null;
    clearTimeout(this.breath);
    next.send({ step: 'load' });
    const before = this.current;
    this.current = next;
    next.once('exit', (code, signal) => {
      if (next === this.current && !this.isEnding)
        this.say(`The gateway ended (${signal ?? `code ${code}`}). The next change starts it again.`);
    });
    await end(before, STOP_PATIENCE_MS);
    if (this.isEnding) return end(next, 0);
    if (isOver(next)) return;
    // It hangs up once it listens.
    next.once('disconnect', () => (this.breath = setTimeout(() => this.prepare(), BREATH_MS)));
    next.send({ step: 'run', inspect: this.inspect });
  }

  async end() {
    this.isEnding = true;
    clearTimeout(this.breath);
    this.standby?.kill('SIGKILL');
    await end(this.current, LAST_STOP_PATIENCE_MS);
  }

  prepare() {
    if (!this.isEnding) this.standby ??= this.fork();
  }

  fork() {
    const child = fork(STANDBY, this.words, { execArgv: FLAGS, env: VARIABLES });
    // One that has ended is told nothing.
    child.on('error', () => undefined);
    return child;
  }
}
