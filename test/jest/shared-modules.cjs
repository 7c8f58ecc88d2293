'use strict';
const { isBuiltin } = require('node:module');
const { join } = require('node:path');
const { default: Runtime } = require('jest-runtime');

/** The product and its packages. What lies in test/ may register hooks, and is evaluated for each file. */
const SHARED = ['src', 'migrations', 'tools', 'web', 'node_modules'];

/** Loads what is shared; never torn down, as its modules may load others as long as the worker lives. */
let host;

/**
 * Jest's module loader with one registry a worker for the modules of the product: to evaluate hundreds of them anew for
 * each file took two fifths of the time of the database tests. `jest.isolateModulesAsync` gives copies of one's own.
 */
class SharedModules extends Runtime {
  constructor(config, environment, ...parts) {
    super(config, environment, ...parts);
    if (!environment.keepsModules) return;
    host ??= new Runtime(config, environment, ...parts);
    this.sharedFolders = SHARED.map((folder) => join(config.rootDir, folder, '/'));
  }

  requireModuleOrMock(from, moduleName) {
    return this.isShared(from, moduleName)
      ? host.requireModuleOrMock(from, moduleName)
      : super.requireModuleOrMock(from, moduleName);
  }

  /** Asked for before a file is loaded, and read when an error is shown. */
  getSourceMaps() {
    const own = super.getSourceMaps();
    const shared = host?.getSourceMaps() ?? new Map();
    return {
      get: (path) => own.get(path) ?? shared.get(path),
      *[Symbol.iterator]() {
        yield* shared;
        yield* own;
      },
    };
  }

  teardown() {
    if (this.sharedFolders !== undefined) forgetMetrics(this._config.rootDir);
    super.teardown();
  }

  isShared(from, moduleName) {
    if (this.sharedFolders === undefined || this.registries.isIsolated()) return false;
    if (moduleName.startsWith('@jest/') || isBuiltin(moduleName)) return false;
    const path = this._resolution.resolveCjs(from, moduleName);
    return !path.endsWith('.spec.ts') && this.sharedFolders.some((folder) => path.startsWith(folder));
  }
}

/** Metrics register themselves once a process; the next file's would not, and read what the last file left. */
function forgetMetrics(rootDir) {
  host.requireModuleOrMock(join(rootDir, 'package.json'), 'prom-client').register.clear();
}

// Jest takes the default of an ES module.
module.exports = { __esModule: true, default: SharedModules };
