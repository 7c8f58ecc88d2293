import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInstrumenter } from 'istanbul-lib-instrument';

/**
 * Where the counters are: a test's own realm, the program that it starts and a page share no global, but Node's own modules are one object a
 * thread. A browser has none; what it counts is lost.
 */
const SCOPE = `((globalThis as any).process?.getBuiltinModule?.('node:v8') ?? (globalThis as any))`;
const PLACE = 'PLACE_OF_COUNTERS';
const SYNTAX = ['typescript', 'decorators-legacy', 'importAttributes', 'topLevelAwait'];

/**
 * Rewrites TypeScript files so that they count what ran. The text itself, before any compiler: tests, the built program and its commands then
 * count the same statements.
 * @param {string} root
 * @param {readonly string[]} paths from the root
 * @returns {Record<string, import('./sum.mjs').FileMap>} by path: what each counter counts
 */
export function instrument(root, paths) {
  const maps = {};
  for (const path of paths) {
    const instrumenter = createInstrumenter({
      esModules: true,
      compact: false,
      coverageVariable: '__coverage__',
      coverageGlobalScope: PLACE,
      coverageGlobalScopeFunc: false,
      parserPlugins: path.endsWith('x') ? [...SYNTAX, 'jsx'] : SYNTAX,
    });
    const file = join(root, path);
    const counted = instrumenter.instrumentSync(readFileSync(file, 'utf8'), path);
    writeFileSync(file, counted.replaceAll(PLACE, SCOPE));
    const { statementMap, branchMap } = instrumenter.lastFileCoverage();
    maps[path] = {
      lines: Object.values(statementMap).map(({ start }) => start.line),
      branches: Object.values(branchMap).reduce((sum, { locations }) => sum + locations.length, 0),
    };
  }
  return maps;
}
