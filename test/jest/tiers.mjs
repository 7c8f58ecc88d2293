// Which command runs which spec file. What the tiers are for, and what each may cost: docs/developer/tests.md.
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** One walk through each door and each exit, and three faults: what every commit runs of the whole system. */
export const WALKS = [
  'test/e2e/flow/whole-flow.spec.ts',
  'test/e2e/flow/first-start.spec.ts',
  'test/e2e/flow/isolation.spec.ts',
  'test/e2e/flow/trace.spec.ts',
  'test/e2e/api/errors-page.spec.ts',
  'test/e2e/api/webhooks.spec.ts',
  'test/e2e/fhir/interactions.spec.ts',
  'test/e2e/fhir/subscriptions/notifications.spec.ts',
  'test/e2e/hl7v2/order-to-result.spec.ts',
  'test/e2e/web/console.spec.ts',
  'test/e2e/web/review-desk.spec.ts',
  'test/faults/full-disk.spec.ts',
  'test/faults/lost-replies.spec.ts',
  'test/faults/stopping.spec.ts',
];

const UNIT = '(src|tools|web/src)/.*\\.spec\\.ts';
const COMMIT = ['test/(medium|docs)/.*\\.spec\\.ts', ...WALKS.map((path) => path.replaceAll('.', '\\.'))];
/** Slow faults and attacks, foreign toolchains, what a person would do by hand for minutes (demonstrations, a day's commands, benchmarks), and a developer's own commands, which build the program over and over and measure how long that takes. */
const SLOW = [
  'test/(faults|abuse)/slow/.*\\.spec\\.ts',
  'test/faults/(bad-photos|key-change|newer-schema|races|redis-loss)\\.spec\\.ts',
  'test/abuse/fair-share\\.spec\\.ts',
  'test/toolchains/.*\\.spec\\.ts',
  'test/e2e/([a-z0-9-]+/)*(demo-[a-z0-9]+\\.e2e|[a-z-]+-day|bench|postgres-alone|bulk-export-size|reprocess-size|samples-seen|web-dev|now-faults)\\.spec\\.ts',
  'test/deployment/builds/(build|docs-build|running-build|sdk-build|start-dev)\\.spec\\.ts',
];
const ELSEWHERE = '(test|sdk/javascript/test)/.*\\.spec\\.ts';

/** A spec file is in the first tier that has it, named by its path from the root; a command runs one or several tiers. */
const TIERS = { unit: [UNIT], commit: COMMIT, slow: SLOW, system: [ELSEWHERE] };

/** @returns {'unit' | 'commit' | 'slow' | 'system' | undefined} */
export function tierOf(path) {
  return Object.keys(TIERS).find((tier) => TIERS[tier].some((pattern) => new RegExp(`^${pattern}$`).test(path)));
}

/** Jest's `testRegex` and `testPathIgnorePatterns` for these tiers, whose files must be in none of the tiers before. */
export function filesOf(...tiers) {
  const names = Object.keys(TIERS);
  const last = Math.max(...tiers.map((tier) => names.indexOf(tier)));
  return {
    testRegex: tiers.flatMap((tier) => TIERS[tier]).map(absolute),
    testPathIgnorePatterns: names
      .slice(0, last)
      .filter((tier) => !tiers.includes(tier))
      .flatMap((tier) => TIERS[tier])
      .map(absolute),
  };
}

/** The folder of the project may be called anything, `src` too. */
function absolute(pattern) {
  return `^${`${ROOT}${sep}`.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}${pattern}$`;
}
