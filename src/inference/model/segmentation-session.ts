import type { SegmentationManifest } from './model-manifest.js';
import type { RuntimeProvider, StoredModel } from './model-runtime.js';
import { ModelSession, outsideUnitInterval, type OutputReader } from './model-session.js';

/** The model's answer for one picture. */
interface WoundPrediction {
  /** Wound probability of each pixel of the model's frame. */
  readonly probabilities: Float32Array;
  /** Distance of the picture from those in training; null where the model has no such output. */
  readonly novelty: number | null;
}

export type SegmentationSession = ModelSession<SegmentationManifest, WoundPrediction>;

/** Opens a model that outlines wounds. Throws ModelUnusableError. */
export function openSegmentationSession(
  model: StoredModel<SegmentationManifest>,
  providers: readonly RuntimeProvider[],
): Promise<SegmentationSession> {
  return ModelSession.open(model, woundReader(model.manifest), providers);
}

function woundReader({ input, output }: SegmentationManifest): OutputReader<WoundPrediction> {
  const map = { name: output.name, field: 'output.name', shape: [1, input.height, input.width] };
  const novelty = output.novelty === undefined ? [] : [{ name: output.novelty, field: 'output.novelty', shape: [1] }];
  return {
    wanted: [map, ...novelty],
    objection([probabilities, distance]) {
      if (outsideUnitInterval(probabilities!)) return `output "${output.name}" is no probability between 0 and 1`;
      return distance !== undefined && !Number.isFinite(distance[0])
        ? `output "${output.novelty ?? ''}" is no number`
        : null;
    },
    read: ([probabilities, distance]) => ({ probabilities: probabilities!, novelty: distance?.[0] ?? null }),
  };
}
