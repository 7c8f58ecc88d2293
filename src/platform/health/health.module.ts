import { Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { collectDefaultMetrics, register } from 'prom-client';
import { bind, from } from '../bind.js';
import type { Settings } from '../config/settings.js';
import { provided } from '../provided.js';
import { BackupMetrics } from './backup.metrics.js';
import { FreeSpaceProbe, usesDataFolder } from './free-space.probe.js';
import { HealthController } from './health.controller.js';
import { registerReadinessMetrics } from './readiness.metrics.js';
import { Readiness, ReadinessProbe } from './readiness.js';

/** One of the figures that `collectDefaultMetrics` registers, once a process. */
const NODES_OWN = 'process_cpu_seconds_total';

const READINESS = bind(
  Readiness,
  from(DiscoveryService, (discovery) => () => provided(discovery, ReadinessProbe)),
);

/** Health and metrics over every ReadinessProbe that a module of the application provides. */
@Module({ imports: [DiscoveryModule], controllers: [HealthController] })
export class HealthModule implements OnModuleInit {
  constructor(private readonly readiness: Readiness) {}

  static register(settings: Settings): DynamicModule {
    const probes = usesDataFolder(settings) ? [FreeSpaceProbe] : [];
    return { module: HealthModule, providers: [...probes, READINESS, BackupMetrics], exports: [Readiness] };
  }

  onModuleInit(): void {
    if (register.getSingleMetric(NODES_OWN) === undefined) collectDefaultMetrics();
    registerReadinessMetrics(this.readiness);
  }
}
