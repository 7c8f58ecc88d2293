import type { ModelUsed } from '../../core/analysis/wound-result.js';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { ModelCatalogue } from '../../core/ports/model-catalogue.js';
import type { Logger } from '../../platform/logging/logger.js';
import { readManifest, toModelUsed } from './model-manifest.js';

/** Reads the active model's manifest when first asked and keeps it; the weights are the workers' business. */
export class ManifestModelCatalogue extends ModelCatalogue {
  private known: ModelUsed | undefined;

  constructor(
    private readonly modelsDir: string,
    private readonly model: string,
    private readonly logger: Logger,
  ) {
    super();
  }

  /** `service.unavailable` while the manifest cannot be read; it is tried again at the next call. */
  override activeSegmentationModel(): ModelUsed {
    this.known ??= this.read();
    return this.known;
  }

  private read(): ModelUsed {
    try {
      return toModelUsed(readManifest(this.modelsDir, this.model));
    } catch (error) {
      this.logger.error('model.unusable', { model: this.model, reason: error instanceof Error ? error.message : '' });
      throw new SuturaError('service.unavailable', { retryAfterS: 30 });
    }
  }
}
