import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ONE = '1'.charCodeAt(0);

/**
 * What ran of all files, and of each room: folders of `src`, other folders by their first name.
 * @param {Readonly<Record<string, import('./sum.mjs').FileMap>>} maps
 * @param {readonly string[]} folders of counts, by scripts/counting/count.cjs
 * @returns {Map<string, import('./sum.mjs').Coverage>} the last one is `all`
 */
export function sumUp(maps, folders) {
  const ran = ranIn(maps, folders);
  const sums = new Map();
  const all = { lines: 0, linesRun: 0, branches: 0, branchesRun: 0 };
  for (const path of Object.keys(maps).sort()) {
    const room = roomOf(path);
    if (!sums.has(room)) sums.set(room, { lines: 0, linesRun: 0, branches: 0, branchesRun: 0 });
    const found = coverageOf(maps[path], ran.get(path));
    for (const name of Object.keys(all)) {
      sums.get(room)[name] += found[name];
      all[name] += found[name];
    }
  }
  return sums.set('all', all);
}

function roomOf(path) {
  const [first, second] = path.split('/');
  return first === 'src' && !second.includes('.') ? `src/${second}` : first;
}

function coverageOf({ lines }, { statements, branches }) {
  const linesRun = new Set(lines.filter((_, place) => statements[place] === 1));
  return {
    lines: new Set(lines).size,
    linesRun: linesRun.size,
    branches: branches.length,
    branchesRun: branches.filter(Boolean).length,
  };
}

/** By path, whether each statement and branch ran in any process: one file of counts at a time, since there may be thousands. */
function ranIn(maps, folders) {
  const empty = ([path, { lines, branches }]) => [
    path,
    { statements: new Uint8Array(lines.length), branches: new Uint8Array(branches) },
  ];
  const ran = new Map(Object.entries(maps).map(empty));
  for (const folder of folders)
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.json')))
      for (const [path, [statements, branches]] of Object.entries(
        JSON.parse(readFileSync(join(folder, name), 'utf8')),
      )) {
        mark(ran.get(path).statements, statements);
        mark(ran.get(path).branches, branches);
      }
  return ran;
}

function mark(ran, digits) {
  for (let place = 0; place < digits.length; place += 1) if (digits.charCodeAt(place) === ONE) ran[place] = 1;
}
