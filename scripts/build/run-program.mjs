// Runs a program of a build from its one file, with the code that V8 made of it at build time: compiling is half of a
// command's time. A copy of this lies in every build, beside that file.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire, SourceMap } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';

/** As stacks call it: the code remembers where it was made, and may be used elsewhere. */
const NAME = 'programs.cjs';
const FILE = join(dirname(fileURLToPath(import.meta.url)), NAME);
/** Code fits one version of V8 and its flags. Where there is none that fits, V8 compiles as it reads. */
const CODE = `${FILE}.${cachedDataVersionTag().toString(16)}.code`;
const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname'];

/** Runs `main` or `cli`. */
export async function runProgram(name) {
  if (process.sourceMapsEnabled) showSources();
  const { programs } = load(readIfThere(CODE));
  await programs[name]();
}

/** Reads all modules of all programs without running one, and keeps what V8 made of them. */
export async function keepCode() {
  const { script, programs } = load(undefined);
  await programs.load();
  writeFileSync(CODE, script.createCachedData());
}

/** False: V8 compiles as it reads, which is slower and the same otherwise. */
export function hasFittingCode() {
  return load(readIfThere(CODE)).script.cachedDataRejected === false;
}

function load(cachedData) {
  // esbuild writes nothing but ASCII.
  const text = readFileSync(FILE, 'latin1');
  const script = new Script(`(function (${PARAMETERS.join(', ')}) {\n${text}\n})`, {
    filename: NAME,
    lineOffset: -1,
    cachedData,
  });
  const module = { exports: {} };
  script.runInThisContext().call(module.exports, module.exports, createRequire(FILE), module, FILE, dirname(FILE));
  return { script, programs: module.exports };
}

function readIfThere(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Node follows source maps of modules alone. The map is read when the first stack is. */
function showSources() {
  let map;
  Error.prepareStackTrace = (error, sites) => {
    map ??= readMap();
    return [String(error), ...sites.map((site) => `    at ${placeOf(site, map)}`)].join('\n');
  };
}

function readMap() {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${FILE}.map`, 'utf8')));
  } catch {
    return { findEntry: () => ({}) };
  }
}

function placeOf(site, map) {
  const text = site.toString();
  if (site.getFileName() !== NAME) return text;
  const [line, column] = [site.getLineNumber(), site.getColumnNumber()];
  const { originalSource, originalLine, originalColumn } = map.findEntry(line - 1, column - 1);
  if (originalSource === undefined) return text;
  const place = `${resolve(dirname(FILE), originalSource)}:${originalLine + 1}:${originalColumn + 1}`;
  return text.replace(`${NAME}:${line}:${column}`, place);
}
