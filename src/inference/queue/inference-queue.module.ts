import {
  Inject,
  Module,
  Optional,
  type DynamicModule,
  type OnApplicationShutdown,
  type OnModuleInit,
  type Provider,
} from '@nestjs/common';
import type { Queue } from 'bull';
import { InferenceQueue } from '../../core/analysis/inference-queue.js';
import { JobRepository } from '../../core/analysis/job.repository.js';
import { bind } from '../../platform/bind.js';
import type { Settings } from '../../platform/config/settings.js';
import { SystemStatements } from '../../platform/database/statements.js';
import { Logger } from '../../platform/logging/logger.js';
import { registerBacklogMetrics } from './backlog.metrics.js';
import { BULL_QUEUE, BULL_QUEUE_TOKEN, BullQueue, closeQueue, type WakeUp } from './bull.queue.js';
import { PostgresQueue } from './postgres.queue.js';
import { QueuedAnalysisHandler } from './queued-analysis.handler.js';
import { redisConnection } from './redis-connection.js';

const handler = bind(QueuedAnalysisHandler, JobRepository, InferenceQueue);
const postgresQueue = bind(PostgresQueue, SystemStatements);
const bullQueue: Provider = {
  provide: InferenceQueue,
  inject: [BULL_QUEUE_TOKEN, PostgresQueue, Logger],
  useFactory: (queue: Queue<WakeUp>, fallback: PostgresQueue, logger: Logger) => new BullQueue(queue, fallback, logger),
};

/** The producer's side of job dispatch: binds InferenceQueue to Bull where REDIS_URL is set, else to PostgreSQL. */
@Module({})
export class InferenceQueueModule implements OnModuleInit {
  constructor(
    private readonly jobs: JobRepository,
    @Optional() @Inject(BULL_QUEUE_TOKEN) queue?: Queue<WakeUp> & Partial<OnApplicationShutdown>,
  ) {
    // @nestjs/bull closes the queue with Bull's own close, which may wait for Redis for ever.
    if (queue !== undefined) queue.onApplicationShutdown = () => closeQueue(queue);
  }

  onModuleInit(): void {
    registerBacklogMetrics(this.jobs);
  }

  /** Bull is read only where it is used: it and its Redis client are a twentieth of the start. */
  static async register({ redis }: Pick<Settings, 'redis'>): Promise<DynamicModule> {
    const { url } = redis;
    if (url === undefined) {
      const binding: Provider = { provide: InferenceQueue, useExisting: PostgresQueue };
      return {
        module: InferenceQueueModule,
        providers: [postgresQueue, binding, handler],
        exports: [InferenceQueue, QueuedAnalysisHandler],
      };
    }
    const { BullModule, getQueueToken } = await import('@nestjs/bull');
    const bull = BullModule.registerQueue({
      name: BULL_QUEUE,
      redis: redisConnection({ ...redis, url }),
    });
    const token: Provider = { provide: BULL_QUEUE_TOKEN, useExisting: getQueueToken(BULL_QUEUE) };
    return {
      module: InferenceQueueModule,
      imports: [bull],
      providers: [token, postgresQueue, bullQueue, handler],
      exports: [BULL_QUEUE_TOKEN, InferenceQueue, QueuedAnalysisHandler],
    };
  }
}
