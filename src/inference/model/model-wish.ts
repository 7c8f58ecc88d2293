import type { Settings } from '../../platform/config/settings.js';
import type { ModelWish } from './model-registry.js';

/** What the settings say of the models. */
export function wishedModels({ environment, modelsDir }: Settings): ModelWish {
  return {
    modelsDir,
    segmentationModel: environment.SUTURA_SEGMENTATION_MODEL,
    tissueModel: environment.SUTURA_TISSUE_MODEL,
  };
}
