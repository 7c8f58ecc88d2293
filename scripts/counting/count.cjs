// Loaded before every program of a counted run (`--require`): writes what instrumented sources counted into the folder of COVERAGE_COUNTS, twice a
// second and at the end, since tests end gateways by SIGKILL. One file a process or thread.
'use strict';
const childProcess = require('node:child_process');
const { randomUUID } = require('node:crypto');
const { renameSync, writeFileSync } = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { join } = require('node:path');
const v8 = require('node:v8');

const INTERVAL_MS = 500;
const REQUIRE = `--require=${__filename}`;
const folder = process.env.COVERAGE_COUNTS;

/** Whether each counter has counted, one digit each. */
const digits = (counters) => Object.values(counters).map((count) => (count > 0 ? '1' : '0'));

/** @param {string} file */
function write(file) {
  const files = Object.entries(v8.__coverage__ ?? {}).map(([path, { s, b }]) => [
    path,
    [digits(s).join(''), Object.values(b).flatMap(digits).join('')],
  ]);
  if (files.length === 0) return;
  writeFileSync(`${file}.part`, JSON.stringify(Object.fromEntries(files)));
  renameSync(`${file}.part`, file);
}

/** Programs that a test gives an environment of its own are counted, too. */
function passOn() {
  for (const name of ['spawn', 'fork', 'execFile', 'spawnSync', 'execFileSync']) {
    const start = childProcess[name];
    const counted = (...words) => start(...words.map(withCounting));
    childProcess[name] = Object.defineProperties(counted, Object.getOwnPropertyDescriptors(start));
  }
  syncBuiltinESMExports();
}

function withCounting(word) {
  const env = word?.env;
  if (env === undefined || env === null || Array.isArray(word)) return word;
  const options = env.NODE_OPTIONS ?? '';
  const NODE_OPTIONS = options.includes(REQUIRE) ? options : `${options} ${REQUIRE}`.trim();
  return { ...word, env: { ...env, COVERAGE_COUNTS: folder, NODE_OPTIONS } };
}

if (folder !== undefined) {
  const file = join(folder, `${randomUUID()}.json`);
  setInterval(write, INTERVAL_MS, file).unref();
  process.on('exit', () => write(file));
  passOn();
}
