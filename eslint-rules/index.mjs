import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { castWithReason } from './cast-with-reason.mjs';
import { noClockComparison } from './no-clock-comparison.mjs';
import { noLateRejection } from './no-late-rejection.mjs';
import { noWaitingForTime } from './no-waiting-for-time.mjs';
import { recordByUnion } from './record-by-union.mjs';

const HERE = new URL('.', import.meta.url);

/** Rules of this project alone; test/lint/rules.spec.ts says what they find. */
export const sutura = {
  // A changed rule has another version, so that results of the one before are not kept.
  meta: { name: 'sutura', version: versionOf(readdirSync(HERE).sort()) },
  rules: {
    'cast-with-reason': castWithReason,
    'no-clock-comparison': noClockComparison,
    'no-late-rejection': noLateRejection,
    'no-waiting-for-time': noWaitingForTime,
    'record-by-union': recordByUnion,
  },
};

function versionOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(new URL(file, HERE)));
  return hash.digest('hex');
}
