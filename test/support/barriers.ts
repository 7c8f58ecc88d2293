/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { LANGUAGES, type Language } from '../../src/core/report/languages.js';
import { roundsOf } from './rounds.js';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on a page: the rule and the first part that breaks it. */
export async function barriersOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    // An address of each part that is as it should be would cost a fifth more.
    const { violations } = await axe.run({ resultTypes: ['violations'], selectors: false });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
  });
}

/** Whether a person would have to push the page sideways to read it. */
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > innerWidth + 1);
}

/**
 * Those of all looks at a page that a run lets axe read in its `place`th case: all each night, and at a commit `least`, other ones
 * in the next case, as what depends on the look seldom depends on the case, too.
 */
export function turnOf<T>(looks: readonly T[], place: number, least = 1): ReadonlySet<T> {
  const count = Math.min(looks.length, roundsOf(looks.length, least));
  return new Set(Array.from({ length: count }, (_, step) => looks[(place * least + step) % looks.length]!));
}

/** The languages in which a run looks at a page: all each night, and at a commit two, first that of the longest words. */
export function languagesRead(): Language[] {
  const longestWordsFirst = LANGUAGES.toSorted((one, other) => Number(other === 'de') - Number(one === 'de'));
  return longestWordsFirst.slice(0, roundsOf(LANGUAGES.length, 2));
}
