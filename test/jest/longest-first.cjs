'use strict';
const { createHash } = require('node:crypto');
const { relative, sep } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** Files of half a minute and more on two cores, the longest first; SUTURA_TEST_TIMES says it anew. */
const LONGEST = [
  'test/e2e/web/review-drafts.spec.ts',
  'test/e2e/client-libraries.e2e.spec.ts',
  'test/e2e/follow-up/histories.spec.ts',
  'test/e2e/access/matrix.spec.ts',
  'test/e2e/web/console-administration.spec.ts',
  'test/e2e/web/review-tablet.spec.ts',
  'test/medium/inference/inference-pool.spec.ts',
  'test/e2e/docs/ehr-pages.spec.ts',
  'test/e2e/calls/records.spec.ts',
  'test/e2e/web/review-draft-words.spec.ts',
  'test/e2e/web/review-form.spec.ts',
  'test/e2e/web/docs.spec.ts',
  'test/faults/quiet-night.spec.ts',
  'test/e2e/web/console.spec.ts',
  'test/e2e/web/review-desk.spec.ts',
  'test/e2e/calls/keeping.spec.ts',
  'test/e2e/follow-up/verdict.spec.ts',
  'test/e2e/calls/hl7-commands.spec.ts',
  'test/e2e/web/console-held.spec.ts',
  'test/e2e/flow/sutura-command.spec.ts',
  'test/e2e/follow-up/fifty/fifty-histories.spec.ts',
  'test/e2e/api/follow-up.spec.ts',
  'test/e2e/hl7v2/meetings.spec.ts',
  'test/e2e/releases/earlier-releases.spec.ts',
  'test/e2e/storage/encryption-at-rest.spec.ts',
  'test/e2e/fhir/subscriptions/history.spec.ts',
  'test/e2e/hl7v2/reprocess.spec.ts',
  'test/e2e/flow/price-of-a-photo.spec.ts',
  'test/e2e/flow/clinical-times.spec.ts',
  'test/e2e/flow/deployments.spec.ts',
  'test/e2e/docs/readme.spec.ts',
  'test/e2e/api/deliveries.spec.ts',
  'test/e2e/flow/tracing.spec.ts',
  'test/faults/lost-replies.spec.ts',
  'test/e2e/flow/embedded-database.spec.ts',
  'test/e2e/web/console-now.spec.ts',
  'test/e2e/fhir/emitted-resources.spec.ts',
  'test/medium/ehr-push/what-stands.spec.ts',
  'test/e2e/web/console-barriers.spec.ts',
  'test/e2e/flow/whose-photo.spec.ts',
  'test/e2e/flow/erasing-a-patient.spec.ts',
  'test/faults/stopping.spec.ts',
  'test/deployment/dump-and-restore.spec.ts',
  'test/e2e/flow/erasing.spec.ts',
  'test/e2e/web/console-ehrs.spec.ts',
  'test/e2e/flow/callers-data.spec.ts',
  'test/e2e/evaluation/evaluate-command.spec.ts',
  'test/e2e/web/review-interrupted.spec.ts',
  'test/e2e/flow/reading-jobs.spec.ts',
  'test/e2e/follow-up/series.e2e.spec.ts',
  'test/e2e/fhir/subscriptions/notifications.spec.ts',
  'test/medium/python-client.spec.ts',
  'test/abuse/hostile-xml.spec.ts',
  'test/procurement/bill-of-materials.spec.ts',
  'test/e2e/follow-up/which-wound.spec.ts',
  'test/deployment/quiet-gateway.spec.ts',
  'test/medium/fhir/intake/orders.spec.ts',
  'test/medium/ehrs/published-keys.spec.ts',
  'test/e2e/smart/launch-refusals.spec.ts',
  'test/deployment/builds/npm-start.spec.ts',
  'test/medium/ehr-push/filing.spec.ts',
];
/** Folders whose files take longest of the others. */
const LONG = ['test/faults', 'test/e2e', 'sdk', 'test/deployment', 'test/procurement', 'test/medium'];

/**
 * Jest begins with the files that took longest the last time. In a fresh clone it knows of none and begins with the largest,
 * so that a file of a minute may be the last one, with a worker to itself. SUTURA_TEST_ORDER is a word that draws another order,
 * always the same for the same word: files that share a gateway must pass in each.
 */
class LongestFirst extends Sequencer {
  sort(tests) {
    const drawn = process.env.SUTURA_TEST_ORDER;
    if (drawn) return tests.toSorted((one, two) => drawOf(drawn, one).localeCompare(drawOf(drawn, two)));
    const sorted = super.sort(tests);
    if (sorted.some(({ duration }) => duration != null)) return sorted;
    return sorted.toSorted((one, two) => rankOf(one) - rankOf(two));
  }
}

function drawOf(word, { path, context }) {
  return createHash('sha256')
    .update(`${word} ${relative(context.config.rootDir, path)}`)
    .digest('hex');
}

function rankOf({ path, context }) {
  const file = relative(context.config.rootDir, path).split(sep).join('/');
  if (LONGEST.includes(file)) return LONGEST.indexOf(file);
  const rank = LONG.findIndex((folder) => file.startsWith(`${folder}/`));
  return LONGEST.length + (rank === -1 ? LONG.length : rank);
}

module.exports = Object.assign(LongestFirst, { LONGEST });
