import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ask, endProcess, startFloor } from './child-program.mjs';

const FLOOR = resolve(import.meta.dirname, '../floors/raw-ort-loop.mjs');
const MODELS = resolve(import.meta.dirname, '../../models');

/** Starts `processes` raw loops over the same photos and models as the gateway's. */
export async function startRawLoops(processes, photoNames, model) {
  const modelDir = newest(
    (folder, manifest) => folder === model || (manifest.task === 'wound-segmentation' && manifest.variant === model),
  );
  const settings = { modelDir, tissueDir: newest((_, { task }) => task === 'tissue-segmentation'), photoNames };
  const loops = await Promise.all(Array.from({ length: processes }, () => startFloor(FLOOR, settings)));
  return {
    pids: loops.map((loop) => loop.child.pid),
    /** Images per second of the first `count` loops together, and the duration of every image. */
    async run(secs, count = processes) {
      const answers = await Promise.all(loops.slice(0, count).map((loop) => ask(loop, { secs })));
      const perSecond = answers.reduce((sum, answer) => sum + answer.durationsMs.length / answer.elapsedS, 0);
      return { perSecond, durationsMs: answers.flatMap((answer) => answer.durationsMs) };
    },
    stop: () => Promise.all(loops.map((loop) => endProcess(loop.child, 'SIGKILL'))),
  };
}

/** The folder with the highest version of those wanted, as the gateway chooses. */
function newest(isWanted) {
  const found = readdirSync(MODELS)
    .filter((folder) => existsSync(join(MODELS, folder, 'manifest.json')))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(MODELS, folder, 'manifest.json'), 'utf8')) }))
    .filter(({ folder, manifest }) => isWanted(folder, manifest))
    .sort((first, second) => second.manifest.version.localeCompare(first.manifest.version, 'en', { numeric: true }));
  if (found.length === 0) throw new Error('There is no such model below models/.');
  return join(MODELS, found[0].folder);
}
