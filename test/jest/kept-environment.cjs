'use strict';
const { TestEnvironment } = require('jest-environment-node');
const { FileTimes } = require('./file-times.cjs');

/** Where jest-circus keeps who listens to a run; it would go on telling the files that have ended. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

let kept;
let exit;

/**
 * The global scope of Jest's Node environment, made once in each worker and used for file after file, so that the modules
 * of the product that one file evaluated (shared-modules.cjs) are of the next file's scope, too. What a file changes in
 * globals, `process.env` or metrics it puts back. A file that needs a scope of its own begins with
 * `@jest-environment node`.
 */
module.exports = class KeptEnvironment {
  constructor(config, context) {
    kept ??= new TestEnvironment(config, context);
    // Jest wraps it for each file.
    exit ??= kept.global.process.exit;
    kept.global.process.exit = exit;
    const times = new FileTimes(config.globalConfig.rootDir, context.testPath);
    return Object.assign(kept, {
      keepsModules: true,
      setup: async () => delete kept.global[EVENT_HANDLERS],
      handleTestEvent: (event) => times.note(event.name),
      teardown: async () => {
        kept.fakeTimers.useRealTimers();
        kept.fakeTimersModern.useRealTimers();
      },
    });
  }
};
