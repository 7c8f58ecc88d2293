import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A line of a history: a photo, or what a person decided. */
export interface Step {
  readonly day: number;
  /** null: no photo; 0: a photo without an open wound. */
  readonly areaCm2: number | null;
  /** What was seen, or done, each in the words of the history. */
  readonly words: readonly string[];
  /** `not improving`, or one verdict, or several of which the rules allow each. */
  readonly verdict: string;
  /** `worse depth`; with `!` before: must not stand there. */
  readonly because: readonly string[];
  readonly waitsFor: readonly string[];
}

export interface History {
  readonly number: number;
  readonly name: string;
  readonly kind: string | null;
  readonly isAutoFinal: boolean;
  readonly steps: readonly Step[];
}

/** The histories as a nurse reads them. */
export function readHistories(): History[] {
  const text = readFileSync(join(__dirname, 'histories.md'), 'utf8');
  return text
    .split(/^### /m)
    .slice(1)
    .map((part) => historyOf(part.split(/^## /m)[0]!));
}

function historyOf(part: string): History {
  const [heading, ...lines] = part.split('\n').map((line) => line.trim());
  const [, number, name] = /^(\d+)\. (.+)$/.exec(heading!)!;
  const visits = lines.filter((line) => line.startsWith('- '));
  const said = listed(lines.find((line) => line !== '' && !line.startsWith('- ')) ?? '', ';');
  return {
    number: Number(number),
    name: name!,
    kind: said.find((word) => word !== 'auto-final') ?? null,
    isAutoFinal: said.includes('auto-final'),
    steps: visits.map(stepOf),
  };
}

const VISIT = /^- (\d+): (no photo|[\d.]+ cm²)(?:; (.+))? → (.+?)(?:, because (.+?))?(?:, waits for (.+))?$/;

function stepOf(visit: string): Step {
  const [, day, area, words = '', verdict, because = '', waitsFor = ''] = VISIT.exec(visit) ?? [];
  if (day === undefined) throw new Error(`histories.md has a visit that cannot be read: ${visit}`);
  return {
    day: Number(day),
    areaCm2: area === 'no photo' ? null : Number.parseFloat(area!),
    words: listed(words, ';'),
    verdict: verdict!,
    because: listed(because, ','),
    waitsFor: listed(waitsFor, ','),
  };
}

function listed(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** Whether a verdict is one that the history allows. */
export function isAllowed(verdict: string, allowed: string): boolean {
  if (allowed.startsWith('not ')) return verdict !== allowed.slice('not '.length);
  return allowed.split(' or ').includes(verdict);
}
