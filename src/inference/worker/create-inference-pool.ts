import { fileURLToPath } from 'node:url';
import type { Settings } from '../../platform/config/settings.js';
import type { Logger } from '../../platform/logging/logger.js';
import { InferenceMetrics } from '../inference-metrics.js';
import { wishedModels } from '../model/model-wish.js';
import { InferencePool } from './inference-pool.js';

const MIB = 1024 * 1024;
/** Its compiled place beside this file. */
const CHILD_PROGRAM = new URL('../model/inference-child.js', import.meta.url);

/** The inference processes as the settings want them; none runs before `start`. */
export function createInferencePool(settings: Settings, logger: Logger): InferencePool {
  const { environment } = settings;
  return new InferencePool(
    {
      entry: fileURLToPath(CHILD_PROGRAM),
      processes: environment.SUTURA_WORKER_PROCESSES,
      maxResidentBytes: environment.SUTURA_WORKER_MAX_RSS_MIB * MIB,
      child: {
        ...wishedModels(settings),
        providers: environment.SUTURA_EXECUTION_PROVIDERS,
        intraOpThreads: environment.SUTURA_INTRA_OP_THREADS,
        batchSize: environment.SUTURA_BATCH_SIZE,
        batchDelayMs: environment.SUTURA_BATCH_DELAY_MS,
        maxPixels: environment.SUTURA_MAX_IMAGE_PIXELS,
      },
    },
    new InferenceMetrics(),
    logger,
  );
}
