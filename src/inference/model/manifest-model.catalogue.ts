import type { ModelUsed } from '../../core/measurement/wound-result.js';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { ModelCatalogue, type InstalledModel } from '../../core/analysis/model-catalogue.js';
import type { Logger } from '../../platform/logging/logger.js';
import { readCard, readManifest, type ModelFolder } from './model-folder.js';
import { toModelUsed } from './model-manifest.js';
import { chooseModels, modelFolders, type ModelSelection } from './model-registry.js';

/**
 * Reads the manifests when first asked and keeps what it read, as the workers keep the models that they chose at their start;
 * the weights are the workers' business.
 */
export class ManifestModelCatalogue extends ModelCatalogue {
  private active: readonly ModelFolder[] | undefined;
  private installed: readonly InstalledModel[] | undefined;

  constructor(
    private readonly selection: ModelSelection,
    private readonly logger: Logger,
  ) {
    super();
  }

  override activeModels(): readonly ModelUsed[] {
    return this.choose().map(({ manifest }) => toModelUsed(manifest));
  }

  override installedModels(): readonly InstalledModel[] {
    this.installed ??= this.readAll(this.choose());
    return this.installed;
  }

  /** Fails while a chosen manifest cannot be read, and tries again at the next call. */
  private choose(): readonly ModelFolder[] {
    try {
      this.active ??= Object.values(chooseModels(this.selection)).filter((model) => model !== null);
      return this.active;
    } catch (error) {
      this.logUnusable(error);
      throw new SuturaError('service.unavailable', { retryAfterS: 30 });
    }
  }

  private readAll(active: readonly ModelFolder[]): InstalledModel[] {
    const chosen = new Set(active.map(({ folder }) => folder));
    const others = modelFolders(this.selection.modelsDir).filter((folder) => !chosen.has(folder));
    const models = [...active, ...others.flatMap((folder) => this.readOrLeave(folder))];
    return models.map((model) => this.describe(model, chosen.has(model.folder)));
  }

  /** A damaged folder that is not in use does no harm. */
  private readOrLeave(folder: string): ModelFolder[] {
    try {
      return [{ folder, manifest: readManifest(this.selection.modelsDir, folder) }];
    } catch (error) {
      this.logUnusable(error);
      return [];
    }
  }

  private describe({ folder, manifest }: ModelFolder, active: boolean): InstalledModel {
    return {
      ...toModelUsed(manifest),
      task: manifest.task,
      variant: manifest.task === 'wound-segmentation' ? (manifest.variant ?? null) : null,
      active,
      licence: manifest.licence,
      metrics: manifest.metrics ?? null,
      ...readCard(this.selection.modelsDir, folder),
    };
  }

  private logUnusable(error: unknown): void {
    this.logger.error('model.unusable', { reason: error instanceof Error ? error.message : '' });
  }
}
