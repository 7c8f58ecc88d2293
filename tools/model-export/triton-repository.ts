import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readVerifiedWeights, type ModelFolder } from '../../src/inference/model/model-folder.js';
import { chooseModels, type ModelSelection } from '../../src/inference/model/model-registry.js';
import { RGB, type WantedOutput } from '../../src/inference/model/model-signature.js';
import { woundReader } from '../../src/inference/model/segmentation-session.js';
import { tissueReader } from '../../src/inference/model/tissue-session.js';

/** The only version of each model: its folder's name has the model's own. */
const VERSION_FOLDER = '1';
const MICROSECONDS = 1000;

/** How a server computes the models. */
export interface RunOptions {
  /** Pictures of the largest run. */
  readonly batchSize: number;
  /** Longest wait of a picture for others. */
  readonly batchDelayMs: number;
  /** Copies of each model on each processor or GPU. */
  readonly instances: number;
}

/** A folder of the repository that is there already is left alone. */
export class RepositoryRefusedError extends Error {}

/**
 * Writes the models of a selection as a model repository of Triton Inference Server, each in a folder of its own name. Answers these names.
 * Throws ModelUnusableError, and RepositoryRefusedError before anything is written.
 */
export function writeTritonRepository(
  selection: ModelSelection,
  options: RunOptions,
  outDir: string,
): readonly string[] {
  const { segmentation, tissue } = chooseModels(selection);
  const models = [
    { model: segmentation as ModelFolder, outputs: woundReader(segmentation.manifest).wanted },
    ...(tissue === null ? [] : [{ model: tissue as ModelFolder, outputs: tissueReader(tissue.manifest).wanted }]),
  ].map((one) => ({ ...one, weights: readVerifiedWeights(selection.modelsDir, one.model) }));
  const there = models.find(({ model }) => existsSync(join(outDir, model.folder)));
  if (there !== undefined)
    throw new RepositoryRefusedError(`${there.model.folder} is there already. Remove it, or name another folder.`);
  for (const { model, outputs, weights } of models) {
    const folder = join(outDir, model.folder);
    mkdirSync(join(folder, VERSION_FOLDER), { recursive: true });
    writeFileSync(join(folder, VERSION_FOLDER, 'model.onnx'), weights);
    writeFileSync(join(folder, 'config.pbtxt'), tritonConfig(model, outputs, options));
  }
  return models.map(({ model }) => model.folder);
}

/** The configuration of one model (Triton's ModelConfig as text). Sizes are of one picture: the batch comes before them. */
function tritonConfig(
  { folder, manifest }: ModelFolder,
  outputs: readonly WantedOutput[],
  { batchSize, batchDelayMs, instances }: RunOptions,
): string {
  const { name, width, height } = manifest.input;
  const picture = dims([RGB, height, width]);
  const warmUps = [...new Set([1, batchSize])].map(
    (count) => `  {
    name: "${count}"
    batch_size: ${count}
    inputs { key: ${quoted(name)} value { data_type: TYPE_FP32 ${picture} zero_data: true } }
  }`,
  );
  const asked = outputs.map(
    (output) => `  { name: ${quoted(output.name)} data_type: TYPE_FP32 ${dims(output.shape)} }`,
  );
  return `name: ${quoted(folder)}
platform: "onnxruntime_onnx"
max_batch_size: ${batchSize}
input [
  { name: ${quoted(name)} data_type: TYPE_FP32 ${picture} }
]
output [
${asked.join(',\n')}
]
dynamic_batching { max_queue_delay_microseconds: ${batchDelayMs * MICROSECONDS} }
instance_group [ { count: ${instances} } ]
model_warmup [
${warmUps.join(',\n')}
]
parameters { key: "sha256" value { string_value: "${manifest.sha256}" } }
`;
}

function dims(shape: readonly number[]): string {
  return `dims: [ ${shape.join(', ')} ]`;
}

/** Names are the model maker's own; JSON escapes as protobuf's text format does. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
