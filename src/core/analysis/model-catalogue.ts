import type { ModelTask, ModelUsed } from '../measurement/wound-result.js';

/** The shipped model is `fast`; a slower model of the operator's own may be `accurate`. */
export const MODEL_VARIANTS = ['fast', 'accurate'] as const;
export type ModelVariant = (typeof MODEL_VARIANTS)[number];

/** A model that lies in this installation's models folder. */
export interface InstalledModel extends ModelUsed {
  readonly task: ModelTask;
  readonly variant: ModelVariant | null;
  /** Every analysis of this installation uses it. */
  readonly active: boolean;
  readonly licence: string;
  /** As its maker states them; null where the manifest has none. */
  readonly metrics: Readonly<Record<string, unknown>> | null;
  /** Markdown; null where the folder has none. */
  readonly card: string | null;
  /** false: `card` is only the beginning of the file. */
  readonly cardIsWhole: boolean;
}

/** The models of this installation, read from their manifests. */
export abstract class ModelCatalogue {
  /** The models that every analysis uses, the one that outlines first. `service.unavailable` while one of them cannot be read. */
  abstract activeModels(): readonly ModelUsed[];

  /** All models, the active ones first; those whose manifest cannot be read are left out. `service.unavailable` as above. */
  abstract installedModels(): readonly InstalledModel[];
}
