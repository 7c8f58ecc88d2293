import type { ExecutionProvider, Settings } from '../../platform/config/settings.js';
import type { EngineEvent } from './engine-failure.js';
import type { RuntimeProvider, RuntimeSettings } from './model-runtime.js';
import { onnxProvider } from './onnx-runtime.js';
import { remoteProvider } from './remote-runtime.js';

/** Hears of inference servers outside of this process. */
type EngineListener = (event: EngineEvent) => void;

const PROVIDERS: Readonly<
  Record<ExecutionProvider, (settings: RuntimeSettings, tell: EngineListener) => RuntimeProvider>
> = {
  cuda: (settings) => onnxProvider('cuda', settings),
  webgpu: (settings) => onnxProvider('webgpu', settings),
  cpu: (settings) => onnxProvider('cpu', settings),
  remote: ({ engine }, tell) => remoteProvider(engine, tell),
};

export function runtimeSettingsOf({ models, engine }: Settings): RuntimeSettings {
  const { executionProviders, intraOpThreads, batchSize, batchDelayMs } = models;
  const { urls, timeoutMs, caFile } = engine;
  return {
    executionProviders,
    intraOpThreads,
    batchSize,
    batchDelayMs,
    engine: { urls, timeoutMs, caFile: caFile ?? null },
  };
}

/** The providers that the settings list, in their order. */
export function runtimeProviders(
  settings: RuntimeSettings,
  tell: EngineListener = () => undefined,
): readonly RuntimeProvider[] {
  return settings.executionProviders.map((name) => PROVIDERS[name](settings, tell));
}
