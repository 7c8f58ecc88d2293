import { readVerifiedWeights } from './model-folder.js';
import { chooseModels, type ModelSelection } from './model-registry.js';
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

/** Chooses the models of a selection, verifies their files and opens them. Throws ModelUnusableError naming the file that cannot be used. */
export async function openModels(
  selection: ModelSelection,
  options: SessionOptions,
  openRuntime: OpenRuntime = openOnnxRuntime,
): Promise<LoadedModels> {
  const { segmentation, tissue } = chooseModels(selection);
  return {
    segmentation: await openSegmentationSession(
      segmentation,
      readVerifiedWeights(selection.modelsDir, segmentation),
      options,
      openRuntime,
    ),
    tissue:
      tissue === null
        ? null
        : await openTissueSession(tissue, readVerifiedWeights(selection.modelsDir, tissue), options, openRuntime),
  };
}
