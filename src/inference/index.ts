/** The part of inference that the composition uses. */
export { lockDownDecoders } from './imaging/decoder-lockdown.js';
export { ImagingModule } from './imaging/imaging.module.js';
export { ModelCatalogueModule } from './model/model-catalogue.module.js';
export { InferenceQueueModule } from './queue/inference-queue.module.js';
export { QueuedAnalysisHandler } from './queue/queued-analysis.handler.js';
export { AnalysisWorker } from './worker/analysis.worker.js';
export { WorkerModule } from './worker/worker.module.js';
export { WorkerProbe } from './worker/worker.probe.js';
