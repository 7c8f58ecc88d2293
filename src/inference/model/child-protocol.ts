import type { ErrorCode } from '../../core/errors/catalogue.js';
import type { CardCorrections } from '../../core/calibration/calibration-card.js';
import type { ExecutionProvider } from '../../platform/config/settings.js';
import type { EngineEvent } from './engine-failure.js';
import type { ModelSelection } from './model-registry.js';
import type { RuntimeSettings } from './model-runtime.js';
import type { PhotoAnalysis } from './photo-analyser.js';

/** The settings of an inference process, sent once as its first message. */
export interface ChildSettings extends ModelSelection, RuntimeSettings {
  readonly maxPixels: number;
}

export type ToChild =
  | { readonly kind: 'start'; readonly settings: ChildSettings }
  | ({ readonly kind: 'analyse'; readonly requestId: number } & PhotoInput);

/** A photo with the scale that its sender states. */
export interface PhotoInput {
  readonly photo: Uint8Array;
  /** Of the oriented photo. */
  readonly mmPerPixel: number | null;
  /** Bar lengths measured on the sender's printed calibration cards. */
  readonly cardCorrections?: CardCorrections | null;
}

export interface ChildReady {
  readonly kind: 'ready';
  readonly provider: ExecutionProvider;
  readonly refusedProviders: readonly ExecutionProvider[];
  /** Photos it takes at once. */
  readonly slots: number;
  /** Folder names of the chosen models; `none` where no tissue model is in use. */
  readonly chosen: Pick<ModelSelection, 'segmentationModel' | 'tissueModel'>;
}

export type FromChild =
  | ChildReady
  /** About the inference servers of the provider `remote`. */
  | { readonly kind: 'engine'; readonly event: EngineEvent }
  /** The model cannot be used; the process ends by itself. `reason` names the file. */
  | { readonly kind: 'unusable'; readonly reason: string }
  | { readonly kind: 'analysed'; readonly requestId: number; readonly analysis: PhotoAnalysis }
  | { readonly kind: 'refused'; readonly requestId: number; readonly code: ErrorCode; readonly retryable: boolean };
