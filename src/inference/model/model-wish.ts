import type { Settings } from '../../platform/config/settings.js';
import type { ModelWish } from './model-registry.js';

/** What the settings say of the models. */
export function wishedModels({ models }: Settings): ModelWish {
  return {
    modelsDir: models.dir,
    segmentationModel: models.segmentation,
    tissueModel: models.tissue,
  };
}
