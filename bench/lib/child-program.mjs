import { fork, spawn } from 'node:child_process';

const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

function keep(child) {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** A floor program as a process of its own; resolves with it once it says `ready`. */
export function startFloor(file, settings) {
  const child = keep(
    fork(file, [], { env: { ...process.env, BENCH_SETTINGS: JSON.stringify(settings) }, serialization: 'advanced' }),
  );
  return new Promise((started, failed) => {
    child.once('error', failed);
    child.once('exit', (code, signal) => failed(new Error(`${file} ended early (${code ?? signal})`)));
    child.on('message', function onMessage(message) {
      if (message.kind !== 'ready') return;
      child.off('message', onMessage);
      started({ child, ...message });
    });
  });
}

/** Asks a floor program for one thing and gives back its answer. */
export function ask(floor, message) {
  return new Promise((answered, failed) => {
    const onExit = () => failed(new Error('the floor program ended'));
    floor.child.once('exit', onExit);
    floor.child.once('message', (answer) => {
      floor.child.off('exit', onExit);
      answered(answer);
    });
    floor.child.send(message);
  });
}

export function spawnKept(command, flags, options) {
  return keep(spawn(command, flags, options));
}

/** Ends a process and waits for it; after `patienceMs` it is killed. */
export function endProcess(child, signal = 'SIGTERM', patienceMs = 35_000) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((ended) => {
    const overdue = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    child.once('exit', () => {
      clearTimeout(overdue);
      ended();
    });
    child.kill(signal);
  });
}
