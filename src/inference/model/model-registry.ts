import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelTask } from '../../core/measurement/wound-result.js';
import type { Settings } from '../../platform/config/settings.js';
import { MODEL_VARIANTS, type ModelVariant } from '../../core/analysis/model-catalogue.js';
import { MANIFEST_FILE, ModelUnusableError, readManifest, type ModelFolder } from './model-folder.js';
import type { ManifestOf, ModelManifest, SegmentationManifest, TissueManifest } from './model-manifest.js';

// Values of SUTURA_TISSUE_MODEL that are no folder names.
const AUTOMATIC = 'auto';
export const NO_MODEL = 'none';

/** The models that an installation uses: folder names, or words for a choice among those installed. */
export interface ModelSelection {
  readonly modelsDir: string;
  /** A variant that a manifest states, or a folder name. */
  readonly segmentationModel: string;
  /** `auto`, `none` or a folder name. */
  readonly tissueModel: string;
}

/** The selection that the settings make. */
export function modelSelectionOf({ models }: Settings): ModelSelection {
  return { modelsDir: models.dir, segmentationModel: models.segmentation, tissueModel: models.tissue };
}

/** What a process calls its model of each task. */
interface PartOf {
  'wound-segmentation': 'segmentation';
  'tissue-segmentation': 'tissue';
}

/** One model for each task; null: the installation has none. There is always one that outlines. */
export type ChosenModels = {
  readonly [Task in ModelTask as PartOf[Task]]:
    | ModelFolder<ManifestOf<Task>>
    | (Task extends 'wound-segmentation' ? never : null);
};

/** Every model below the folder, by name. Throws ModelUnusableError where any manifest cannot be used: it may be the one that is meant. */
function findModels(modelsDir: string): ModelFolder[] {
  return modelFolders(modelsDir).map((folder) => ({ folder, manifest: readManifest(modelsDir, folder) }));
}

/** The names of all folders with a manifest, usable or not. Throws ModelUnusableError where the models folder cannot be read. */
export function modelFolders(modelsDir: string): string[] {
  try {
    return readdirSync(modelsDir)
      .filter((folder) => existsSync(join(modelsDir, folder, MANIFEST_FILE)))
      .sort();
  } catch (error) {
    throw new ModelUnusableError(
      `the models folder cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}). Check SUTURA_MODELS_DIR.`,
    );
  }
}

/** The models of a selection. Throws ModelUnusableError where one is not there or cannot be used. */
export function chooseModels(selection: ModelSelection): ChosenModels {
  return { segmentation: chooseSegmentation(selection), tissue: chooseTissue(selection) };
}

function chooseSegmentation({
  modelsDir,
  segmentationModel: wanted,
}: ModelSelection): ModelFolder<SegmentationManifest> {
  if (!isVariant(wanted))
    return modelNamed(modelsDir, wanted, isSegmentation, 'SUTURA_SEGMENTATION_MODEL needs a wound-segmentation model');
  const newest = newestOf(
    findModels(modelsDir)
      .filter(isSegmentation)
      .filter(({ manifest }) => manifest.variant === wanted),
  );
  if (newest !== undefined) return newest;
  throw new ModelUnusableError(
    `no model below the models folder has the variant "${wanted}". Copy one there, or set SUTURA_SEGMENTATION_MODEL to a folder name.`,
  );
}

function chooseTissue({ modelsDir, tissueModel: wanted }: ModelSelection): ModelFolder<TissueManifest> | null {
  if (wanted === NO_MODEL) return null;
  if (wanted !== AUTOMATIC)
    return modelNamed(modelsDir, wanted, isTissue, 'SUTURA_TISSUE_MODEL needs a tissue-segmentation model');
  return newestOf(findModels(modelsDir).filter(isTissue)) ?? null;
}

function modelNamed<M extends ModelManifest>(
  modelsDir: string,
  folder: string,
  fits: (model: ModelFolder) => model is ModelFolder<M>,
  need: string,
): ModelFolder<M> {
  const model: ModelFolder = { folder, manifest: readManifest(modelsDir, folder) };
  if (fits(model)) return model;
  throw new ModelUnusableError(`${folder}/${MANIFEST_FILE} has the task ${model.manifest.task}; ${need}.`);
}

function newestOf<M extends ModelManifest>(models: readonly ModelFolder<M>[]): ModelFolder<M> | undefined {
  return [...models].sort((a, b) => compareVersions(b.manifest.version, a.manifest.version))[0];
}

/** As semver orders releases; a pre-release (1.0.0-rc.1) comes before its release. */
export function compareVersions(a: string, b: string): number {
  const [releaseA, preA] = divide(a);
  const [releaseB, preB] = divide(b);
  const inOrder = (x: string, y: string) => x.localeCompare(y, 'en', { numeric: true });
  if (releaseA !== releaseB) return inOrder(releaseA, releaseB);
  if (preA === null || preB === null) return Number(preA === null) - Number(preB === null);
  return inOrder(preA, preB);
}

function divide(version: string): [release: string, pre: string | null] {
  const at = version.indexOf('-');
  return at < 0 ? [version, null] : [version.slice(0, at), version.slice(at + 1)];
}

function isVariant(text: string): text is ModelVariant {
  return (MODEL_VARIANTS as readonly string[]).includes(text);
}

function isSegmentation(model: ModelFolder): model is ModelFolder<SegmentationManifest> {
  return model.manifest.task === 'wound-segmentation';
}

function isTissue(model: ModelFolder): model is ModelFolder<TissueManifest> {
  return model.manifest.task === 'tissue-segmentation';
}
