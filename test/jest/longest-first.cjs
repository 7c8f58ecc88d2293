'use strict';
const { relative, sep } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** Folders whose files take longest, the longest first. */
const LONG = ['test/faults', 'test/e2e', 'sdk', 'test/deployment', 'test/procurement', 'test/medium'];

/**
 * Jest begins with the files that took longest the last time. In a fresh clone it knows of none and begins with the largest,
 * so that a file of a minute may be the last one, with a worker to itself.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.some(({ duration }) => duration != null)) return sorted;
    return sorted.toSorted((one, two) => rankOf(one) - rankOf(two));
  }
};

function rankOf({ path, context }) {
  const file = relative(context.config.rootDir, path).split(sep).join('/');
  const rank = LONG.findIndex((folder) => file.startsWith(`${folder}/`));
  return rank === -1 ? LONG.length : rank;
}
