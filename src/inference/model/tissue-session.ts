import type { TissueManifest } from './model-manifest.js';
import type { RuntimeProvider, StoredModel } from './model-runtime.js';
import { ModelSession, outsideUnitInterval, type OutputReader } from './model-session.js';

/** Tolerance for the sum over all classes, since half precision rounds. */
const SUM_SLACK = 1e-2;

/** Class probabilities of the model's frame: one plane after another, in the order of the manifest's classes. */
export type TissuePrediction = Float32Array;

export type TissueSession = ModelSession<TissueManifest, TissuePrediction>;

/** Opens a model that tells tissues apart. Throws ModelUnusableError. */
export function openTissueSession(
  model: StoredModel<TissueManifest>,
  providers: readonly RuntimeProvider[],
): Promise<TissueSession> {
  return ModelSession.open(model, tissueReader(model.manifest), providers);
}

/** How tissues are read from the output of a model. */
export function tissueReader({ input, output, classes }: TissueManifest): OutputReader<TissuePrediction> {
  return {
    wanted: [{ name: output.name, field: 'output.name', shape: [classes.length, input.height, input.width] }],
    objection([planes]) {
      const wrong = outsideUnitInterval(planes!) || sumsToOtherThanOne(planes!, classes.length);
      return wrong ? `output "${output.name}" is no probability of ${classes.length} classes that sum to 1` : null;
    },
    read: ([planes]) => planes!,
  };
}

/** True where the classes' planes, one after another, do not sum to 1 at some pixel. */
function sumsToOtherThanOne(values: Float32Array, classes: number): boolean {
  const plane = values.length / classes;
  for (let pixel = 0; pixel < plane; pixel += 1) {
    let sum = 0;
    for (let index = pixel; index < values.length; index += plane) sum += values[index]!;
    if (!(Math.abs(sum - 1) <= SUM_SLACK)) return true;
  }
  return false;
}
