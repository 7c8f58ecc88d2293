import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { isComparable, warningsBetween } from '../../src/core/followup/area-change.js';
import type { AssessmentInSeries } from '../../src/core/followup/series-order.js';
import { statedWound } from './series-cost.js';

/**
 * Milliseconds of processor time, by number of assessments: the quickest of three, each of new ones, since what was found of an assessment is remembered.
 * In a process of its own, as the service runs it: in a test's realm each mention of a global is a search.
 */
function costsMs(): Record<number, number> {
  const folder = mkdtempSync(join(tmpdir(), 'sutura-series-cost-'));
  try {
    const program = join(folder, 'series-cost.mjs');
    const entryPoints = [join(__dirname, 'series-cost.ts')];
    buildSync({ entryPoints, outfile: program, bundle: true, platform: 'node', format: 'esm' });
    return JSON.parse(execFileSync(process.execPath, [program], { encoding: 'utf8' })) as Record<number, number>;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('following a wound of many assessments', () => {
  it('takes no more than a second of processor time for 500, and hardly more for each with their number', () => {
    const { 125: few = 0, 500: many = Infinity } = costsMs();
    expect(many).toBeLessThan(1000);
    expect(Math.log(many / few) / Math.log(4)).toBeLessThan(1.5);
  });

  it('asks of a pair whether it is comparable as its warnings say', () => {
    const [photo] = statedWound(1);
    const findings = photo!.findings;
    const kinds: AssessmentInSeries[] = [
      photo!,
      { ...photo!, findings: { ...findings, model: 'another/1' } },
      { ...photo!, findings: { ...findings, model: 'another/1', outlineSource: 'reviewer_contour' } },
      { ...photo!, findings: { ...findings, scale: { ...findings.scale, source: 'client' } } },
      { ...photo!, findings: { ...findings, quality: { ...findings.quality, acceptable: false } } },
      { ...photo!, findings: { ...findings, familiarity: { ...DOUBTED } } },
      { ...photo!, reviewed: true, findings: { ...findings, familiarity: { ...DOUBTED } } },
    ];
    for (const one of kinds)
      for (const other of kinds) expect(isComparable(one, other)).toBe(warningsBetween(one, other).length === 0);
  });
});

const DOUBTED = { score: 0.3, expectedDice: { value: 0.4, lower: 0, upper: 0.8 }, outlineReliable: false };
