import { Module } from '@nestjs/common';
import { ModelCatalogue } from '../../core/analysis/model-catalogue.js';
import { bind, from } from '../../platform/bind.js';
import { Settings } from '../../platform/config/settings.js';
import { Logger } from '../../platform/logging/logger.js';
import { ManifestModelCatalogue } from './manifest-model.catalogue.js';
import { modelSelectionOf } from './model-registry.js';

/** Binds ModelCatalogue; loads no weights, so that a process without the worker role may have it too. */
@Module({
  providers: [{ ...bind(ManifestModelCatalogue, from(Settings, modelSelectionOf), Logger), provide: ModelCatalogue }],
  exports: [ModelCatalogue],
})
export class ModelCatalogueModule {}
