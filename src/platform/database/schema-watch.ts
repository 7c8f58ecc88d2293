import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ReadinessProbe } from '../health/readiness.js';
import { Logger } from '../logging/logger.js';
import { NotificationListener } from './notification-listener.js';
import { unknownMigrations } from './schema-history.js';
import { admitTo, fenceOff, SYSTEM_SOURCE, TENANT_SOURCE } from './statements.js';

const LOOK_MS = 4000;
/** For what doors have in hand. */
const GRACE_MS = 4000;

/**
 * Ready while the database is of this release. Once a newer one has migrated it, doors close in order, and no
 * statement of this process reaches the database any more: it would write old rows into changed tables.
 */
@Injectable()
export class SchemaWatch extends ReadinessProbe implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly name = 'schema';
  private readonly doors = new Set<() => Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private newer = false;

  constructor(
    private readonly listener: NotificationListener,
    @InjectDataSource(TENANT_SOURCE) private readonly tenant: DataSource,
    @InjectDataSource(SYSTEM_SOURCE) private readonly system: DataSource,
    private readonly logger: Logger,
  ) {
    super();
  }

  /** Whether the database is of a newer release. */
  get isNewer(): boolean {
    return this.newer;
  }

  /** `door` is notified of each change, and finishes its work in progress. */
  onChange(door: () => Promise<void>): void {
    this.doors.add(door);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look().catch(() => undefined), LOOK_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  check(): Promise<void> {
    return this.newer ? Promise.reject(new Error('The database is of a newer release.')) : Promise.resolve();
  }

  /** A database that does not answer is not taken for a newer one. */
  private async look(): Promise<void> {
    const rows = await this.listener.read<{ readonly name: string }>('select name from migrations');
    if (rows === null) return;
    const unknown = unknownMigrations(rows.map(({ name }) => name));
    if (unknown.length > 0 === this.newer) return;
    this.newer = unknown.length > 0;
    if (this.newer) await this.close(unknown);
    else await this.open();
  }

  private async close(migrations: readonly string[]): Promise<void> {
    this.logger.error('database.newer_release', { migrations, remedy: 'Start the release that migrated it.' });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, GRACE_MS)));
    await Promise.race([this.notifyListeners(), late]);
    clearTimeout(timer);
    for (const source of [this.tenant, this.system]) fenceOff(source);
  }

  /** An earlier back-up was restored while this process ran. */
  private async open(): Promise<void> {
    for (const source of [this.tenant, this.system]) admitTo(source);
    this.logger.info('database.own_release');
    await this.notifyListeners();
  }

  private async notifyListeners(): Promise<void> {
    await Promise.allSettled([...this.doors].map((door) => door()));
  }
}
