// A worker whose inference process waits instead of computing: the product's own modules, composed as src/main.ts does, with another program
// for the inference process. The product itself has no setting for this.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const load = (path) => import(pathToFileURL(resolve(import.meta.dirname, '../../dist/src', path)).href);
const { Gateway } = await load('composition/gateway.js');
const { modelSelectionOf } = await load('inference/model/model-registry.js');
const { runtimeSettingsOf } = await load('inference/model/runtime-providers.js');
const { InferenceMetrics } = await load('inference/worker/inference-metrics.js');
const { InferencePool } = await load('inference/worker/inference-pool.js');
const { readSettings } = await load('platform/config/settings.js');
const { openDatabase } = await load('platform/database/open-database.js');
const { Logger } = await load('platform/logging/logger.js');

const MIB = 1024 ** 2;
const settings = readSettings(process.env);
const logger = Logger.create(settings.process.logLevel);
const inference = new InferencePool(
  {
    entry: resolve(import.meta.dirname, 'waiting-child.mjs'),
    processes: 1,
    recycleAfterImages: Number.POSITIVE_INFINITY,
    maxResidentBytes: settings.workers.maxResidentMib * MIB,
    child: {
      ...modelSelectionOf(settings),
      ...runtimeSettingsOf(settings),
      maxPixels: settings.images.maxPixels,
      waiting: JSON.parse(process.env.BENCH_WAITING),
    },
  },
  new InferenceMetrics(),
  logger,
);
const database = await openDatabase(settings, logger);
const gateway = await Gateway.start({ settings, logger, databaseUrl: database.url, inference });
process.once('SIGTERM', () => void gateway.stop().finally(() => process.exit(0)));
