import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { USAGE } from './command-line.js';
import { summariseTissue } from './tissue/tissue-report.js';
import { summariseWounds } from './wounds/wound-report.js';

const PAGE = readFileSync(resolve(__dirname, '../../docs/evaluation.md'), 'utf8');
/** Named by data and not by the form. */
const TISSUES = ['slough', 'granulation', 'callus'];

function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)]);
}

const wound = {
  id: '1',
  photo: { widthPx: 10, heightPx: 10 },
  overlap: { labelledPx: 4, foundPx: 4, sharedPx: 4 },
  hausdorff95Px: 0,
  measuredAreaPx: 4,
  outlines: [],
  missedWounds: 0,
  detection: { confidence: 1, isTrue: true },
  analyseMs: 1,
  stepsMs: {},
};
const model = { name: 'a', version: '1', sha256: '0', researchOnly: true };
const tissue = { id: '1', confusion: { classes: 4, counts: new Array<number>(16).fill(1) }, analyseMs: 1, stepsMs: {} };

test('docs/evaluation.md names every key of the machine form', () => {
  const reports = [
    summariseWounds([wound], [model], 'cpu'),
    summariseTissue([tissue], ['background', ...TISSUES], [model], 'cpu'),
  ];
  for (const key of new Set(reports.flatMap(keysOf))) {
    if (!TISSUES.includes(key)) expect(PAGE).toMatch(new RegExp(`[\`"]${key}[\`"]`));
  }
});

test('docs/evaluation.md names every option of the usage', () => {
  for (const [option] of USAGE.matchAll(/--[a-z]+/g))
    expect([option, option === '--help' || PAGE.includes(`\`${option}`)]).toEqual([option, true]);
});
