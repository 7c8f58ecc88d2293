import { readVerifiedWeights } from './model-folder.js';
import { chooseModels, type ModelWish } from './model-registry.js';
import type { SessionOptions } from './model-session.js';
import { openOnnxRuntime, type OpenRuntime } from './onnx-runtime.js';
import { openSegmentationSession, type SegmentationSession } from './segmentation-session.js';
import { openTissueSession, type TissueSession } from './tissue-session.js';

/** The models of one process, ready to run. */
export interface LoadedModels {
  readonly segmentation: SegmentationSession;
  /** null where the installation has no tissue model, or wants none. */
  readonly tissue: TissueSession | null;
}

/** Chooses, proves and opens the models that are wished for. Throws ModelUnusableError naming the file that cannot be used. */
export async function openModels(
  wish: ModelWish,
  options: SessionOptions,
  openRuntime: OpenRuntime = openOnnxRuntime,
): Promise<LoadedModels> {
  const { segmentation, tissue } = chooseModels(wish);
  return {
    segmentation: await openSegmentationSession(
      segmentation,
      readVerifiedWeights(wish.modelsDir, segmentation),
      options,
      openRuntime,
    ),
    tissue:
      tissue === null
        ? null
        : await openTissueSession(tissue, readVerifiedWeights(wish.modelsDir, tissue), options, openRuntime),
  };
}
