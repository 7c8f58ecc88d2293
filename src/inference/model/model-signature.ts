import { MANIFEST_FILE, ModelUnusableError, type ModelFolder } from './model-folder.js';
import type { DeclaredTensor, ModelRuntime } from './model-runtime.js';

export const RGB = 3;

/** An output that is asked for, with its size for one picture. */
export interface WantedOutput {
  readonly name: string;
  /** The manifest's field that has the name. */
  readonly field: string;
  /** After the batch. */
  readonly shape: readonly number[];
}

/**
 * Compares what the ONNX file, or the server that has it, declares with what the manifest promises. Throws ModelUnusableError naming the file and the
 * first difference; a size that the file leaves open fits.
 */
export function checkSignature(
  model: ModelFolder,
  wanted: readonly WantedOutput[],
  runtime: Pick<ModelRuntime, 'source' | 'inputs' | 'outputs'>,
): void {
  const { input } = model.manifest;
  const source = runtime.source ?? `${model.folder}/${model.manifest.file}`;
  checkOne(
    model,
    source,
    'input',
    { name: input.name, field: 'input.name', shape: [RGB, input.height, input.width] },
    runtime.inputs,
  );
  if (runtime.inputs.length > 1)
    throw unusable(source, `has ${runtime.inputs.length} inputs; one picture is all that it gets`);
  for (const output of wanted) checkOne(model, source, 'output', output, runtime.outputs);
}

function checkOne(
  model: ModelFolder,
  source: string,
  kind: 'input' | 'output',
  wanted: WantedOutput,
  declared: readonly DeclaredTensor[],
): void {
  const found = declared.find(({ name }) => name === wanted.name);
  if (found === undefined) {
    const names = declared.map(({ name }) => `"${name}"`).join(', ');
    throw unusable(
      source,
      `has no ${kind} named "${wanted.name}" but ${names}; correct ${wanted.field} in ${model.folder}/${MANIFEST_FILE}`,
    );
  }
  if (found.type !== 'float32')
    throw unusable(source, `has the ${kind} "${wanted.name}" of type ${found.type}; float32 is needed`);
  if (found.shape.length === 0) return;
  const expected = ['batch', ...wanted.shape];
  const fits =
    found.shape.length === expected.length &&
    wanted.shape.every((size, index) => sizeFits(found.shape[index + 1], size));
  if (!fits)
    throw unusable(
      source,
      `has the ${kind} "${wanted.name}" of shape [${found.shape.join(', ')}]; [${expected.join(', ')}] is needed`,
    );
}

function sizeFits(declared: number | string | undefined, wanted: number): boolean {
  // ONNX Runtime names an open size, or gives -1 where it has no name.
  return typeof declared !== 'number' || declared < 0 || declared === wanted;
}

function unusable(source: string, what: string): ModelUnusableError {
  return new ModelUnusableError(`${source} ${what}.`);
}
