import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const POLL_MS = 20;
const START_DEADLINE_MS = 60_000;

/**
 * One process of an image as the first of a PID namespace, under the image's account, without rights and without the right to
 * get any.
 */
export class Container {
  output = '';

  /** `settings` come over those of the image; `args`: the program, default the image's own. */
  constructor({ root, config }, settings, args = config.Cmd) {
    const [uid, gid] = config.User.split(':');
    const env = { ...Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s, 2))), ...settings };
    const confine = [
      '--fork',
      '--kill-child',
      '--pid',
      '--mount',
      '--mount-proc',
      '--root',
      root,
      '--wd',
      config.WorkingDir,
    ];
    const account = ['--setuid', uid, '--setgid', gid];
    this.startedAt = performance.now();
    this.settings = env;
    this.child = spawn(
      '/usr/bin/setpriv',
      ['--no-new-privs', '/usr/bin/unshare', ...confine, ...account, ...config.Entrypoint, ...args],
      {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    for (const stream of [this.child.stdout, this.child.stderr]) stream.on('data', (chunk) => (this.output += chunk));
    this.exited = once(this.child, 'close').then(([code, signal]) => {
      this.hasEnded = true;
      return { code, signal };
    });
  }

  get baseUrl() {
    return `http://127.0.0.1:${this.settings.PORT}`;
  }

  /** The process itself, as this machine numbers it. */
  get pid() {
    return childrenOf(this.child.pid)[0];
  }

  /** Milliseconds from the start to the first yes of /health/ready. */
  async ready() {
    while (performance.now() - this.startedAt < START_DEADLINE_MS && this.hasEnded !== true) {
      const { ok } = await fetch(`${this.baseUrl}/health/ready`).catch(() => ({ ok: false }));
      if (ok) return Math.round(performance.now() - this.startedAt);
      await new Promise((next) => setTimeout(next, POLL_MS));
    }
    throw new Error(`The container did not become ready:\n${this.output.slice(-3000)}`);
  }

  /** Its most memory so far in MiB, with that of its children. */
  peakMib() {
    return [this.pid, ...childrenOf(this.pid)].reduce(
      (sum, pid) => sum + Number(/VmHWM:\s+(\d+)/.exec(proc(pid, 'status'))?.[1] ?? 0) / 1024,
      0,
    );
  }

  /** SIGTERM to its end. */
  async stop() {
    const began = performance.now();
    process.kill(this.pid, 'SIGTERM');
    return { ...(await this.exited), ms: Math.round(performance.now() - began) };
  }

  /** At once, if it has not ended: unshare's own --kill-child is lost with the change of the account. */
  kill() {
    const { pid } = this;
    if (this.hasEnded !== true && pid !== undefined) process.kill(pid, 'SIGKILL');
  }
}

function childrenOf(pid) {
  return proc(pid, `task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
}

function proc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
