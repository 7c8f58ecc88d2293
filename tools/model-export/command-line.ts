import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { modelSelectionOf } from '../../src/inference/model/model-registry.js';
import type { Settings } from '../../src/platform/config/settings.js';
import { writeTritonRepository } from './triton-repository.js';

export const EXIT_USAGE = 2;
const MOST_INSTANCES = 64;

const USAGE = `npm run models:export -- --out DIR [--format triton] [--instances N]

Writes the models that the settings choose as a model repository of Triton Inference Server.

  --out DIR      folder of the repository; it is made where it is missing
  --instances N  copies of each model on each processor or GPU, 1 to ${MOST_INSTANCES}; default 1

SUTURA_BATCH_SIZE and SUTURA_BATCH_DELAY_MS are the sharing of runs.`;

interface Output {
  out(text: string): void;
  err(text: string): void;
}

/** Answers the exit code. Throws ModelUnusableError and RepositoryRefusedError. */
export function runModelExport(args: readonly string[], settings: Settings, { out, err }: Output): number {
  const wish = readOptions(args);
  if (wish === null) {
    err(USAGE);
    return EXIT_USAGE;
  }
  const { batchSize, batchDelayMs } = settings.models;
  const { outDir, instances } = wish;
  const names = writeTritonRepository(modelSelectionOf(settings), { batchSize, batchDelayMs, instances }, outDir);
  for (const name of names) out(name);
  return 0;
}

/** null where the arguments cannot be understood. */
function readOptions(args: readonly string[]): { readonly outDir: string; readonly instances: number } | null {
  const options = {
    out: { type: 'string' },
    format: { type: 'string', default: 'triton' },
    instances: { type: 'string', default: '1' },
  } as const;
  try {
    const { values } = parseArgs({ args: [...args], options });
    const instances = Number(values.instances);
    const usable = Number.isInteger(instances) && instances >= 1 && instances <= MOST_INSTANCES;
    if (values.out === undefined || values.format !== 'triton' || !usable) return null;
    return { outDir: resolve(values.out), instances };
  } catch {
    return null;
  }
}
