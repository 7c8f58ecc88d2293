import { Module, type DynamicModule, type OnModuleInit, type Type } from '@nestjs/common';
import { JobRepository } from '../../core/ports/job.repository.js';
import { registerBacklogMetrics } from './backlog.metrics.js';
import { FreeSpaceProbe } from './free-space.probe.js';
import { HealthController } from './health.controller.js';
import { Readiness, type ReadinessProbe } from './readiness.js';

/** Health and metrics over the probes that the composition names; `imports` are the modules that provide them. */
@Module({ controllers: [HealthController] })
export class HealthModule implements OnModuleInit {
  constructor(private readonly jobs: JobRepository) {}

  static register(imports: NonNullable<DynamicModule['imports']>, probes: readonly Type<ReadinessProbe>[]): DynamicModule {
    const readiness = { provide: Readiness, inject: [...probes], useFactory: (...found: ReadinessProbe[]) => new Readiness(found) };
    const own = probes.includes(FreeSpaceProbe as Type<ReadinessProbe>) ? [FreeSpaceProbe] : [];
    return { module: HealthModule, imports, providers: [...own, readiness], exports: [Readiness] };
  }

  onModuleInit(): void {
    registerBacklogMetrics(this.jobs);
  }
}
