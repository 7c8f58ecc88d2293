/** The part of inference that the composition uses. */
export { lockDownDecoders } from './imaging/decoder-lockdown.js';
export { ImagingModule } from './imaging/imaging.module.js';
export { ModelCatalogueModule } from './model/model-catalogue.module.js';
export { InferenceQueueModule } from './queue/inference-queue.module.js';
export { WorkerModule } from './worker/worker.module.js';
