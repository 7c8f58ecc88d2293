import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { MetricReading } from '../health/metric-reading.js';
import { gaugeOf, labelledGaugeOf, type LabelledValue } from '../health/shared-metrics.js';
import { ArchiveAge, type ArchiveReading } from './archive-age.js';
import { poolOf, SYSTEM_SOURCE, SystemStatements, TENANT_SOURCE } from './statements.js';

/** None where nothing is archived, and none at a standby, which writes no WAL of its own. */
const ARCHIVE = `select extract(epoch from clock_timestamp())::float8 as "nowS", (pg_current_wal_lsn() - '0/0')::float8 as "writtenBytes",
    pg_size_bytes(current_setting('wal_segment_size'))::float8 as "segmentBytes", last_archived_wal as "lastArchived",
    extract(epoch from coalesce(last_archived_time, stats_reset))::float8 as "archivedAtS",
    coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as "isFailing"
  from pg_stat_archiver where current_setting('archive_mode') <> 'off' and not pg_is_in_recovery()`;
/** Excludes the queries of the scrape itself. */
const SAMPLE_INTERVAL_MS = 1000;
const CLOCK = 'select extract(epoch from clock_timestamp())::float8 as "nowS"';

/** Figures of the two pools of connections, and of the database's clock. */
@Injectable()
export class DatabaseMetrics implements OnModuleInit, OnApplicationShutdown {
  private readonly archive = new ArchiveAge();
  private waiting: readonly LabelledValue[] = [];
  private sampling: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource(TENANT_SOURCE) private readonly tenant: DataSource,
    @InjectDataSource(SYSTEM_SOURCE) private readonly system: DataSource,
    private readonly statements: SystemStatements,
  ) {}

  onModuleInit(): void {
    labelledGaugeOf('sutura_database_connections', 'Connections to the database, by pool', ['pool', 'state'], () =>
      this.ofEachPool(({ totalCount, idleCount }) => ({ used: totalCount - idleCount, idle: idleCount })),
    );
    labelledGaugeOf('sutura_database_pool_size', 'Most connections that a pool may have', ['pool'], () =>
      this.ofEachPool(({ options }) => options.max),
    );
    labelledGaugeOf(
      'sutura_database_pool_waiting',
      'Statements that wait for a connection because all of their pool are in use; alarm where it stays above 0',
      ['pool'],
      () => this.waiting,
    );
    this.sample();
    this.sampling = setInterval(() => this.sample(), SAMPLE_INTERVAL_MS).unref();
    const archive = new MetricReading(() => this.archiveAgeS());
    gaugeOf(
      'sutura_database_archive_age_seconds',
      'Age of the oldest WAL that PostgreSQL has not archived, as far as this process saw it; 0: none waits. Where archive_mode is on; alarm on this',
      () => archive.latest(),
    );
    const offset = new MetricReading(() => this.clockOffsetS());
    gaugeOf(
      'sutura_database_clock_offset_seconds',
      'Clock of the database minus that of this process; alarm where they are seconds apart',
      () => offset.latest(),
    );
  }

  onApplicationShutdown(): void {
    clearInterval(this.sampling);
  }

  /** Apart from scrapes, which would count the statements of their own. */
  private sample(): void {
    this.waiting = this.ofEachPool(({ waitingCount }) => waitingCount);
  }

  /** One value for each pool, or one for each state of its connections. */
  private ofEachPool(figure: (pool: Pool) => number | Readonly<Record<string, number>>): LabelledValue[] {
    return Object.entries({ [TENANT_SOURCE]: this.tenant, [SYSTEM_SOURCE]: this.system })
      .filter(([, source]) => source.isInitialized)
      .flatMap(([pool, source]) => {
        const value = figure(poolOf(source));
        if (typeof value === 'number') return [{ labels: { pool }, value }];
        return Object.entries(value).map(([state, count]) => ({ labels: { pool, state }, value: count }));
      });
  }

  /** null: the server archives nothing. */
  private async archiveAgeS(): Promise<number | null> {
    const { rows } = await this.statements.run<ArchiveReading>(ARCHIVE);
    return rows[0] === undefined ? null : this.archive.at(rows[0]);
  }

  /** Off by half of the query's duration at most. */
  private async clockOffsetS(): Promise<number> {
    const beganMs = Date.now();
    const { rows } = await this.statements.run<{ readonly nowS: number }>(CLOCK);
    return rows[0]!.nowS - (beganMs + Date.now()) / 2000;
  }
}
