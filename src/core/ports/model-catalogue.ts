import type { ModelUsed } from '../analysis/wound-result.js';

/** Which models this installation uses, read from their manifests. */
export abstract class ModelCatalogue {
  abstract activeSegmentationModel(): ModelUsed;
}
