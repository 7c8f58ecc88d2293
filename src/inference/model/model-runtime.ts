import type { ExecutionProvider } from '../../platform/config/settings.js';
import type { BatchLimits } from './batcher.js';
import type { ModelFolder } from './model-folder.js';
import type { ModelManifest } from './model-manifest.js';

/** A model to open. A runtime that keeps models elsewhere leaves the weights unread. */
export interface StoredModel<M extends ModelManifest = ModelManifest> extends ModelFolder<M> {
  /** The weights as the manifest's SHA-256 proves them. Throws ModelUnusableError. */
  readWeights(): Uint8Array;
}

/** The inference servers of the provider `remote`. */
export interface EngineSettings {
  /** Base addresses; what they serve has to be the same. */
  readonly urls: readonly string[];
  /** Of one request. */
  readonly timeoutMs: number;
  /** Authorities in PEM; null: those of Node.js. */
  readonly caFile: string | null;
  /** How often servers are compared with what they were; absent: once a minute. */
  readonly recheckMs?: number;
}

/** The settings of all providers. They are sent to inference processes, which read no environment of their own. */
export interface RuntimeSettings {
  /** Tried in this order; the first that opens and warms up is used. */
  readonly executionProviders: readonly ExecutionProvider[];
  readonly intraOpThreads: number;
  /** Pictures of the largest run, on a GPU. */
  readonly batchSize: number;
  /** Longest wait of a picture for others, on a GPU. */
  readonly batchDelayMs: number;
  readonly engine: EngineSettings;
}

/** One way to run models: an execution provider of ONNX Runtime, or a server. */
export interface RuntimeProvider {
  /** As SUTURA_EXECUTION_PROVIDERS lists it; stands in the trace of every result. */
  readonly name: ExecutionProvider;
  /** The sharing of runs by pictures. */
  readonly batches: BatchLimits;
  /** Photos that an inference process takes at once: enough to decode the next ones while a run lasts. */
  readonly photosAtOnce: number;
  /** ModelUnusableError is about the model's files; after any other error the next provider is tried. */
  open(model: StoredModel): Promise<ModelRuntime>;
}

/** A model that is open on one provider. */
export interface ModelRuntime {
  /** What a refusal calls the model; absent: its file. */
  readonly source?: string;
  readonly inputs: readonly DeclaredTensor[];
  readonly outputs: readonly DeclaredTensor[];
  /** The named outputs; one that the model did not give is absent. */
  run(input: RunInput, outputs: readonly string[]): Promise<Readonly<Record<string, Float32Array>>>;
}

/** An input or output as the model declares it. */
export interface DeclaredTensor {
  readonly name: string;
  /** ONNX Runtime's word for the element type. */
  readonly type: string;
  /** A text is a size that may vary; empty: the model does not tell. */
  readonly shape: readonly (number | string)[];
}

/** The batch of one run, one picture after another. */
interface RunInput {
  readonly name: string;
  readonly values: Float32Array;
  readonly shape: readonly number[];
}
