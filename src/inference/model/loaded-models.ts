import { readVerifiedWeights, type ModelFolder } from './model-folder.js';
import type { ModelManifest } from './model-manifest.js';
import { chooseModels, type ChosenModels, type ModelSelection } from './model-registry.js';
import type { RuntimeProvider, StoredModel } from './model-runtime.js';
import { openSegmentationSession, type SegmentationSession } from './segmentation-session.js';
import { openTissueSession, type TissueSession } from './tissue-session.js';

/** The models of one process, ready to run. */
export interface LoadedModels extends Readonly<Record<keyof ChosenModels, object | null>> {
  readonly segmentation: SegmentationSession;
  /** null: no tissue model is installed or enabled. */
  readonly tissue: TissueSession | null;
}

/** Chooses the models of a selection and opens them. Throws ModelUnusableError naming the file that cannot be used. */
export async function openModels(
  selection: ModelSelection,
  providers: readonly RuntimeProvider[],
): Promise<LoadedModels> {
  const stored = <M extends ModelManifest>(model: ModelFolder<M>): StoredModel<M> => ({
    ...model,
    readWeights: () => readVerifiedWeights(selection.modelsDir, model),
  });
  const { segmentation, tissue } = chooseModels(selection);
  return {
    segmentation: await openSegmentationSession(stored(segmentation), providers),
    tissue: tissue === null ? null : await openTissueSession(stored(tissue), providers),
  };
}
