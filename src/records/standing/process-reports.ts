import { hostname } from 'node:os';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { register } from 'prom-client';
import { Clock } from '../../core/ports/clock.js';
import { IdSource } from '../../core/ports/id-source.js';
import { DESTINATION_DAYS, OWN_DAYS } from '../../core/standing/listener-findings.js';
import {
  BACKUP_AGE,
  BACKUP_TAKEN,
  CHAIN_BREAKS,
  FREE,
  LEAST_FREE,
  SEAL_AGE,
} from '../../core/standing/service-findings.js';
import { Settings } from '../../platform/config/settings.js';
import { SystemStatements, toJsonb } from '../../platform/database/statements.js';
import { Readiness } from '../../platform/health/readiness.js';
import { Logger } from '../../platform/logging/logger.js';

const TELL_EVERY_MS = 5000;
/** A database that does not answer holds up no stop: the report then ages, as that of a process that died. */
const STOP_WITHIN_MS = 2000;
/** A report that is older is of a process that stopped, or that cannot reach the database. */
export const FRESH = `seen_at > sutura_now() - interval '20 seconds'`;
const TELL = `with forgotten as (delete from process_reports where seen_at < sutura_now() - interval '7 days')
  insert into process_reports (process_id, host, roles, failing, figures, seen_at) values ($1, $2, $3, $4, $5, sutura_now())
  on conflict (process_id) do update set failing = excluded.failing, figures = excluded.figures, seen_at = excluded.seen_at`;
const FORGET = 'delete from process_reports where process_id = $1';
/** Of /metrics: what only the process itself can see. */
const FIGURES = [FREE, LEAST_FREE, BACKUP_AGE, BACKUP_TAKEN, SEAL_AGE, CHAIN_BREAKS, DESTINATION_DAYS, OWN_DAYS];

/** Tells the other processes, and the command line, every few seconds how this one is; one that stops in order takes its report away. */
@Injectable()
export class ProcessReports implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly processId: string;
  private readonly failingSince = new Map<string, string>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isTold = true;

  constructor(
    private readonly readiness: Readiness,
    private readonly statements: SystemStatements,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly logger: Logger,
    ids: IdSource,
  ) {
    this.processId = ids.next();
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.next(), TELL_EVERY_MS).unref();
    this.next();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    let late: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => (late = setTimeout(resolve, STOP_WITHIN_MS)));
    await Promise.race([this.forget(), patience]);
    clearTimeout(late);
  }

  private async forget(): Promise<void> {
    await this.running;
    await this.statements.run(FORGET, [this.processId]).catch(() => undefined);
  }

  /** Never fails: a report that could not be written is missed, which is what it would say. */
  async tell(): Promise<void> {
    try {
      const failing = await this.failing();
      const figures = toJsonb(await figuresOf(FIGURES));
      await this.statements.run(TELL, [this.processId, hostname(), this.settings.process.roles, failing, figures]);
      this.isTold = true;
    } catch (error) {
      if (this.isTold) this.logger.warn('process.not_told', { error: error instanceof Error ? error.name : 'unknown' });
      this.isTold = false;
    }
  }

  private next(): void {
    this.running = this.running.then(() => this.tell());
  }

  private async failing(): Promise<string | null> {
    const { checks } = await this.readiness.report();
    const failed = Object.entries(checks).flatMap(([name, state]) => (state === 'ok' ? [] : [name]));
    for (const name of [...this.failingSince.keys()]) if (!failed.includes(name)) this.failingSince.delete(name);
    for (const name of failed)
      if (!this.failingSince.has(name)) this.failingSince.set(name, this.clock.now().toISOString());
    return toJsonb(Object.fromEntries(this.failingSince));
  }
}

/** Values that gauges of this process show now, by name, and those with a label by `name label`; without those that show none. */
async function figuresOf(names: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const figures = await Promise.all(
    names.map(async (name) => {
      const shown = await register.getSingleMetric(name)?.get();
      const known = (shown?.values ?? []).filter(({ value }) => Number.isFinite(value));
      return known.map(({ labels, value }) => [[name, ...Object.values(labels)].join(' '), value] as const);
    }),
  );
  return Object.fromEntries(figures.flat());
}
