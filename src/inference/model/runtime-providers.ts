import type { ExecutionProvider, Settings } from '../../platform/config/settings.js';
import type { RuntimeProvider, RuntimeSettings } from './model-runtime.js';
import { onnxProvider } from './onnx-runtime.js';

const PROVIDERS: Readonly<Record<ExecutionProvider, (settings: RuntimeSettings) => RuntimeProvider>> = {
  cuda: (settings) => onnxProvider('cuda', settings),
  webgpu: (settings) => onnxProvider('webgpu', settings),
  cpu: (settings) => onnxProvider('cpu', settings),
};

export function runtimeSettingsOf({ models }: Settings): RuntimeSettings {
  const { executionProviders, intraOpThreads, batchSize, batchDelayMs } = models;
  return { executionProviders, intraOpThreads, batchSize, batchDelayMs };
}

/** The providers that the settings list, in their order. */
export function runtimeProviders(settings: RuntimeSettings): readonly RuntimeProvider[] {
  return settings.executionProviders.map((name) => PROVIDERS[name](settings));
}
