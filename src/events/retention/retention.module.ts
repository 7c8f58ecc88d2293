import {
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationBootstrap,
  type Type,
} from '@nestjs/common';
import { PatientErasure } from '../../core/erasure/patient-erasure.js';
import { Settings } from '../../platform/config/settings.js';
import { Logger } from '../../platform/logging/logger.js';
import { RecurringWork } from '../recurring/recurring-work.js';

/** Erasures that a stop interrupted go on soon after the start; those that wait for somebody's work to end are tried again this often. */
const FIRST_MS = 1000;

/** Goes on with what is to be forgotten. */
@Module({})
export class RetentionModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly work: readonly RecurringWork[];

  constructor(erasure: PatientErasure, { workers }: Settings, logger: Logger) {
    this.work = [
      new RecurringWork('patient-erasures', () => erasure.resume(), workers.sweepIntervalMs, logger, FIRST_MS),
    ];
  }

  /** `erasures`: the module of PatientErasure. */
  static register(erasures: Type): DynamicModule {
    return { module: RetentionModule, imports: [erasures] };
  }

  onApplicationBootstrap(): void {
    this.work.forEach((one) => one.start());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.work.map((one) => one.stop()));
  }
}
