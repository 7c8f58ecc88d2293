import type { ErrorCode } from '../../core/errors/catalogue.js';
import type { ExecutionProvider } from '../../platform/config/settings.js';
import type { PhotoAnalysis } from './photo-analysis.js';

/** What an inference process needs to know; sent once, as its first message. */
export interface ChildSettings {
  readonly modelsDir: string;
  readonly model: string;
  readonly providers: readonly ExecutionProvider[];
  readonly intraOpThreads: number;
  readonly batchSize: number;
  readonly batchDelayMs: number;
  readonly maxPixels: number;
}

export type ToChild =
  | { readonly kind: 'start'; readonly settings: ChildSettings }
  | { readonly kind: 'analyse'; readonly requestId: number; readonly photo: Uint8Array; readonly mmPerPixel: number | null };

export interface ChildReady {
  readonly kind: 'ready';
  readonly provider: ExecutionProvider;
  readonly refusedProviders: readonly ExecutionProvider[];
  /** Photos it takes at once. */
  readonly slots: number;
  readonly model: string;
  readonly version: string;
}

export type FromChild =
  | ChildReady
  /** The model cannot be used; the process ends by itself. `reason` names the file. */
  | { readonly kind: 'unusable'; readonly reason: string }
  | { readonly kind: 'analysed'; readonly requestId: number; readonly analysis: PhotoAnalysis }
  | { readonly kind: 'refused'; readonly requestId: number; readonly code: ErrorCode; readonly retryable: boolean };
