// Loaded into a gateway with --require: measures the longest turn of its event loop in processor time, which other
// processes do not stretch, and appends it, in milliseconds, to the file TURN_METER_FILE at each SIGUSR2.
const { appendFileSync, openSync, readSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

/** Turns are told apart as finely as this; what is shorter is added to the next. */
const LOOK_MS = 4;

/** Processor time of this thread, in milliseconds (Linux: sched, or stat in hundredths of a second). */
function clock() {
  const buffer = Buffer.alloc(2048);
  const reader = (path, parse) => {
    const file = openSync(path, 'r');
    return () => parse(buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0)));
  };
  try {
    const read = reader('/proc/thread-self/sched', (text) => Number(/sum_exec_runtime\s*:\s*([\d.]+)/.exec(text)[1]));
    read();
    return read;
  } catch {
    return reader('/proc/thread-self/stat', (text) => {
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10;
    });
  }
}

if (isMainThread && process.env.TURN_METER_FILE !== undefined) {
  const now = clock();
  const file = process.env.TURN_METER_FILE;
  // Processes that this one starts are not measured.
  delete process.env.TURN_METER_FILE;
  let before = now();
  let longest = 0;
  const look = () => {
    const after = now();
    longest = Math.max(longest, after - before);
    before = after;
  };
  setInterval(look, LOOK_MS).unref();
  process.on('SIGUSR2', () => {
    look();
    appendFileSync(file, `${longest}\n`);
    longest = 0;
  });
}
