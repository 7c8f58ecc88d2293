import { join, resolve } from 'node:path';
import { ask, endProcess, startFloor } from './child-program.mjs';

const FLOOR = resolve(import.meta.dirname, '../floors/raw-ort-loop.mjs');
const MODELS = resolve(import.meta.dirname, '../../models');

/** Starts `processes` raw loops over the same photos and model as the gateway's. */
export async function startRawLoops(processes, photoNames, model) {
  const settings = { modelDir: join(MODELS, model), photoNames };
  const loops = await Promise.all(Array.from({ length: processes }, () => startFloor(FLOOR, settings)));
  return {
    /** Images per second of the first `count` loops together, and the duration of every image. */
    async run(secs, count = processes) {
      const answers = await Promise.all(loops.slice(0, count).map((loop) => ask(loop, { secs })));
      const perSecond = answers.reduce((sum, answer) => sum + answer.durationsMs.length / answer.elapsedS, 0);
      return { perSecond, durationsMs: answers.flatMap((answer) => answer.durationsMs) };
    },
    stop: () => Promise.all(loops.map((loop) => endProcess(loop.child, 'SIGKILL'))),
  };
}
