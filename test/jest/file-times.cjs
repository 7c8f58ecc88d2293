'use strict';
const { appendFileSync, readFileSync } = require('node:fs');
const { relative } = require('node:path');

/**
 * Where the time of one spec file goes. With `SUTURA_TEST_TIMES=FILE` each spec file adds a line of JSON there: until its
 * modules were evaluated (`importMs`), in hooks, in tests, the processor time of its worker (`cpuMs`), and that of the processes
 * that it started and saw end (`childrenCpuMs`, Linux).
 */
class FileTimes {
  constructor(rootDir, testPath) {
    this.target = process.env.SUTURA_TEST_TIMES;
    this.file = relative(rootDir, testPath);
    this.beganAt = performance.now();
    this.cpuBefore = process.cpuUsage();
    this.childrenCpuMsBefore = childrenCpuMs();
    this.figures = { importMs: 0, hooksMs: 0, testsMs: 0 };
  }

  note(event) {
    if (this.target === undefined) return;
    const now = performance.now();
    if (event === 'run_start') this.figures.importMs = now - this.beganAt;
    else if (event === 'hook_start' || event === 'test_fn_start') this.partBeganAt = now;
    else if (/^hook_(success|failure)$/.test(event)) this.figures.hooksMs += now - this.partBeganAt;
    else if (/^test_fn_(success|failure)$/.test(event)) this.figures.testsMs += now - this.partBeganAt;
    else if (event === 'run_finish') this.write(now);
  }

  write(now) {
    const { user, system } = process.cpuUsage(this.cpuBefore);
    const row = { ...this.figures, totalMs: now - this.beganAt, cpuMs: (user + system) / 1000 };
    row.childrenCpuMs = childrenCpuMs() - this.childrenCpuMsBefore;
    const rounded = Object.fromEntries(Object.entries(row).map(([name, ms]) => [name, Math.round(ms)]));
    appendFileSync(this.target, `${JSON.stringify({ file: this.file, ...rounded })}\n`);
  }
}

/** proc_pid_stat(5): cutime and cstime, in ticks of 10 ms. */
function childrenCpuMs() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return 0;
  }
}

module.exports = { FileTimes };
