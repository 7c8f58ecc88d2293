import type { SegmentationManifest } from './model-manifest.js';
import type { RuntimeProvider, StoredModel } from './model-runtime.js';
import { ModelSession, outsideUnitInterval, type OutputReader } from './model-session.js';

/** The model's answer for one picture. */
interface WoundPrediction {
  /** Wound probability of each pixel of the model's frame. */
  readonly probabilities: Float32Array;
  /** Distance of the picture from those in training; null where the model has no such output. */
  readonly novelty: number | null;
  /** Probability that the picture shows an open wound; null where the model has no such output. */
  readonly presence: number | null;
}

export type SegmentationSession = ModelSession<SegmentationManifest, WoundPrediction>;

/** Opens a model that outlines wounds. Throws ModelUnusableError. */
export function openSegmentationSession(
  model: StoredModel<SegmentationManifest>,
  providers: readonly RuntimeProvider[],
): Promise<SegmentationSession> {
  return ModelSession.open(model, woundReader(model.manifest), providers);
}

/** How outlines, novelty and presence are read from the outputs of a model. */
export function woundReader({ input, output }: SegmentationManifest): OutputReader<WoundPrediction> {
  const map = { name: output.name, field: 'output.name', shape: [1, input.height, input.width] };
  const figures = (['novelty', 'presence'] as const).flatMap((figure) => {
    const name = output[figure];
    return name === undefined ? [] : [{ name, figure, field: `output.${figure}`, shape: [1] }];
  });
  const valueOf = (figure: 'novelty' | 'presence', planes: readonly Float32Array[]) => {
    const index = figures.findIndex((one) => one.figure === figure);
    return index < 0 ? null : planes[index + 1]!;
  };
  return {
    wanted: [map, ...figures],
    objection(planes) {
      const [distance, presence] = [valueOf('novelty', planes), valueOf('presence', planes)];
      if (outsideUnitInterval(planes[0]!)) return `output "${output.name}" is no probability between 0 and 1`;
      if (presence !== null && outsideUnitInterval(presence))
        return `output "${output.presence ?? ''}" is no probability between 0 and 1`;
      return distance !== null && !Number.isFinite(distance[0])
        ? `output "${output.novelty ?? ''}" is no number`
        : null;
    },
    read: (planes) => ({
      probabilities: planes[0]!,
      novelty: valueOf('novelty', planes)?.[0] ?? null,
      presence: valueOf('presence', planes)?.[0] ?? null,
    }),
  };
}
