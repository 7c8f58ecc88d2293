import type { ModelTask, ModelUsed } from '../measurement/wound-result.js';

/** For a result that names no model. */
const UNKNOWN = 'unknown/0';

/** `name/version` of the model that drew the outlines of a result. */
export function outlineModelOf(models: readonly ModelUsed[]): string {
  return namedModels(models, 'wound-segmentation') ?? labelOf(models[0]) ?? UNKNOWN;
}

/**
 * `name/version` of the model that the tissue shares are from; `outlineModel`, which stands for itself, where there is no other. Results
 * from before each model said its task have that of the tissue beside that of the outline.
 */
export function tissueModelOf(models: readonly ModelUsed[], outlineModel: string): string {
  const unnamed = models.every(({ task }) => task === undefined);
  const found = unnamed
    ? models.map(labelOf).find((label) => label !== outlineModel)
    : namedModels(models, 'tissue-segmentation');
  return found ?? outlineModel;
}

function namedModels(models: readonly ModelUsed[], wanted: ModelTask): string | undefined {
  return labelOf(models.find(({ task }) => task === wanted));
}

function labelOf(model: ModelUsed | undefined): string | undefined {
  return model === undefined ? undefined : `${model.name}/${model.version}`;
}
