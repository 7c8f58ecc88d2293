import { execFileSync } from 'node:child_process';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  appendFileSync,
  writeSync,
} from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { median } from './statistics.mjs';

const BENCH = resolve(import.meta.dirname, '..');
const BASELINE = join(BENCH, 'baseline.json');
/** A ratio may fall to this share of its baseline before it counts as worse. */
const TOLERANCE = 0.9;

/** What one must know of the machine to read absolute figures. */
export function describeMachine() {
  return {
    node: process.version,
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? 'unknown',
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    fsyncUs: measureFsyncUs(),
    commit: commitOf(),
  };
}

/** The result as one line for people. */
export function toRow(scenario, outcome) {
  const figures = Object.entries(outcome)
    .filter(([name]) => !['passed', 'ratios'].includes(name))
    .map(([name, value]) => `${name} ${formatted(value)}`);
  return `${scenario.id.padEnd(4)} ${scenario.name.padEnd(24)} ${figures.join(' | ')}\n     goal: ${scenario.goal} → ${outcome.passed ? 'PASS' : 'FAIL'}`;
}

/** Appends the result to today's file below bench/out, as one line of JSON. */
export function keep(scenario, outcome, machine, options) {
  const folder = join(BENCH, 'out');
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const line = { at, scenario: scenario.id, unit: scenario.unit, ...options, machine, ...outcome };
  appendFileSync(join(folder, `${at.slice(0, 10)}.json`), `${JSON.stringify(line)}\n`);
}

/** True where two of three rounds lie below 0.9 of the committed ratio; scenarios without a ratio or a baseline never do. */
export function isWorseThanBaseline(scenario, outcome) {
  const { ratio } = JSON.parse(readFileSync(BASELINE, 'utf8')).scenarios[scenario.id] ?? {};
  if (typeof ratio !== 'number' || !Array.isArray(outcome.ratios)) return false;
  const low = outcome.ratios.filter((value) => value < ratio * TOLERANCE).length;
  return low * 3 >= outcome.ratios.length * 2;
}

/** Makes today's ratio the one that later runs are held against. */
export function writeBaseline(scenario, outcome) {
  const baseline = JSON.parse(readFileSync(BASELINE, 'utf8'));
  baseline.scenarios[scenario.id] = {
    ...baseline.scenarios[scenario.id],
    ratio: typeof outcome.ratio === 'number' ? round(outcome.ratio) : null,
  };
  writeFileSync(BASELINE, `${JSON.stringify(baseline, null, 2)}\n`);
}

const round = (value) => Math.round(value * 1000) / 1000;

function formatted(value) {
  if (typeof value === 'number') return String(round(value));
  if (Array.isArray(value)) return value.map(formatted).join('/') || '-';
  if (value !== null && typeof value === 'object') {
    return `{${Object.entries(value)
      .filter(([name]) => name !== 'ratios')
      .map(([name, inner]) => `${name} ${formatted(inner)}`)
      .join(', ')}}`;
  }
  return String(value ?? '-');
}

/** The median of some small synchronous writes: what a commit costs on this disk at least. */
function measureFsyncUs() {
  const file = join(tmpdir(), `sutura-bench-fsync-${process.pid}`);
  const handle = openSync(file, 'w');
  const durations = Array.from({ length: 20 }, () => {
    const began = performance.now();
    writeSync(handle, 'x'.repeat(8192));
    fsyncSync(handle);
    return (performance.now() - began) * 1000;
  });
  closeSync(handle);
  rmSync(file);
  return Math.round(median(durations));
}

function commitOf() {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: BENCH, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}
