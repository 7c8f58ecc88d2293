'use strict';
const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment } = require('jest-environment-node');
const { FileTimes } = require('./file-times.cjs');

/** Where jest-circus keeps who listens to a run; it would go on telling the files that have ended. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

let kept;
let exit;

/**
 * Those that were used since the last file. Each file's jest-circus makes one and leaves it on, and Node asks all that are on at each promise:
 * after 150 files an `await` cost eighty times as much.
 */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...parts) {
  storages.add(this);
  return Reflect.apply(run, this, parts);
};

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
        for (const storage of storages) storage.disable();
        storages.clear();
      },
    });
  }
};
