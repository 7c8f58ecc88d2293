import { fileURLToPath } from 'node:url';
import type { Settings } from '../../platform/config/settings.js';
import type { Logger } from '../../platform/logging/logger.js';
import { InferenceMetrics } from './inference-metrics.js';
import { modelSelectionOf } from '../model/model-registry.js';
import { runtimeSettingsOf } from '../model/runtime-providers.js';
import { InferencePool } from './inference-pool.js';

const MIB = 1024 * 1024;
/** The compiled program, by its place beside this file. */
const CHILD_PROGRAM = new URL('../model/inference-child.js', import.meta.url);

/** The inference processes as the settings want them; none runs before `start`. */
export function createInferencePool(settings: Settings, logger: Logger): InferencePool {
  const { workers, images } = settings;
  return new InferencePool(
    {
      entry: fileURLToPath(CHILD_PROGRAM),
      processes: workers.processes,
      maxResidentBytes: workers.maxResidentMib * MIB,
      child: {
        ...modelSelectionOf(settings),
        ...runtimeSettingsOf(settings),
        maxPixels: images.maxPixels,
      },
    },
    new InferenceMetrics(),
    logger,
  );
}
