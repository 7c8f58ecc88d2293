import {
  Inject,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OptionalFactoryDependency,
  type Provider,
} from '@nestjs/common';
import type { Queue } from 'bull';
import { InferenceQueue } from '../../core/analysis/inference-queue.js';
import { JobRepository } from '../../core/analysis/job.repository.js';
import { JobCompletion } from '../../core/report/job-completion.js';
import { ObjectStore } from '../../core/images/object-store.js';
import { bind, from } from '../../platform/bind.js';
import { Settings } from '../../platform/config/settings.js';
import { NotificationListener, WORK_CHANNEL } from '../../platform/database/notification-listener.js';
import { Logger } from '../../platform/logging/logger.js';
import { ImagingModule } from '../imaging/imaging.module.js';
import { InferenceMetrics } from './inference-metrics.js';
import { BULL_QUEUE_TOKEN, type WakeUp } from '../queue/bull.queue.js';
import { AnalysisProcessor } from './analysis.processor.js';
import { AnalysisWorker } from './analysis.worker.js';
import { BullConsumer } from './bull.consumer.js';
import { createInferencePool } from './create-inference-pool.js';
import { InferencePool } from './inference-pool.js';
import { JobEnding } from './job-ending.js';
import { JobSweeper } from './job-sweeper.js';
import { LeaseKeeper } from './lease-keeper.js';
import { registerSlotMetrics } from './slot.metrics.js';
import { WorkerProbe } from './worker.probe.js';

const PROVIDERS = [
  InferenceMetrics,
  bind(
    LeaseKeeper,
    JobRepository,
    from(Settings, ({ workers }) => workers.leaseS),
  ),
  bind(JobEnding, {
    completion: JobCompletion,
    jobs: JobRepository,
    queue: InferenceQueue,
    metrics: InferenceMetrics,
    logger: Logger,
  }),
  bind(
    AnalysisProcessor,
    {
      store: ObjectStore,
      pool: InferencePool,
      ending: JobEnding,
      logger: Logger,
    },
    from(Settings, ({ workers, models }) => ({ timeoutMs: workers.jobTimeoutMs, pushScore: models.pushScore })),
  ),
  bind(
    AnalysisWorker,
    JobRepository,
    AnalysisProcessor,
    LeaseKeeper,
    InferencePool,
    from(Settings, ({ workers }) => ({ leaseS: workers.leaseS })),
    Logger,
  ),
  bind(
    JobSweeper,
    JobRepository,
    InferenceQueue,
    from(Settings, ({ workers }) => workers.sweepIntervalMs),
    InferenceMetrics,
    Logger,
  ),
  bind(WorkerProbe, InferencePool),
];

const optionalBull: OptionalFactoryDependency = { token: BULL_QUEUE_TOKEN, optional: true };

const consumer: Provider = {
  provide: BullConsumer,
  inject: [AnalysisWorker, Logger, optionalBull],
  useFactory: (worker: AnalysisWorker, logger: Logger, queue?: Queue<WakeUp>) =>
    queue === undefined ? null : new BullConsumer(queue, worker, logger),
};

/** The consumer's side: claims jobs and runs them in inference processes. Only in a process with the role `worker`. */
@Module({})
export class WorkerModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private unsubscribe: () => void = () => undefined;

  constructor(
    @Inject(AnalysisWorker) private readonly worker: AnalysisWorker,
    @Inject(JobSweeper) private readonly sweeper: JobSweeper,
    @Inject(BullConsumer) private readonly consumer: BullConsumer | null,
    @Inject(NotificationListener) private readonly notifications: NotificationListener,
    @Inject(InferenceQueue) private readonly queue: InferenceQueue,
    @Inject(InferencePool) private readonly pool: InferencePool,
  ) {}

  /**
   * @param imports the modules that provide JobCompletion, ObjectStore and InferenceQueue, unless they are global
   * @param started inference processes that were started ahead; without them the module makes its own
   */
  static register(imports: NonNullable<DynamicModule['imports']>, started?: InferencePool): DynamicModule {
    const pool: Provider = {
      provide: InferencePool,
      inject: [Settings, Logger],
      useFactory: (settings: Settings, logger: Logger) => started ?? createInferencePool(settings, logger),
    };
    return {
      module: WorkerModule,
      imports: [ImagingModule, ...imports],
      providers: [...PROVIDERS, pool, consumer],
      exports: [AnalysisWorker, WorkerProbe],
    };
  }

  onApplicationBootstrap(): void {
    this.unsubscribe = this.notifications.on(WORK_CHANNEL, () => this.worker.wake());
    this.queue.onWaiting(() => this.worker.wake());
    registerSlotMetrics(this.pool);
    this.worker.start();
    this.sweeper.start(() => this.worker.wake());
    this.consumer?.start();
  }

  /** Before connections close: running jobs still have to be written. */
  async beforeApplicationShutdown(): Promise<void> {
    this.unsubscribe();
    await Promise.all([this.sweeper.stop(), this.consumer?.stop(), this.worker.stop()]);
  }
}
