import { mkdir, statfs } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { Gauge, register } from 'prom-client';
import { Settings } from '../config/settings.js';
import { Logger } from '../logging/logger.js';
import { ReadinessProbe } from './readiness.js';

const MIB = 1024 * 1024;

/**
 * Ready while the disk of the data folder has SUTURA_MIN_FREE_MIB left. Below that, uploads and messages will soon be
 * refused, and a database may stop.
 */
@Injectable()
export class FreeSpaceProbe extends ReadinessProbe {
  readonly name = 'disk';
  private isLow = false;

  constructor(
    private readonly settings: Settings,
    private readonly logger: Logger,
  ) {
    super();
    registerFreeSpaceMetric(() => this.freeBytes());
  }

  async check(): Promise<void> {
    await mkdir(this.settings.process.dataDir, { recursive: true });
    const freeMib = Math.floor((await this.freeBytes()) / MIB);
    const isLow = freeMib < this.settings.storage.minFreeMib;
    if (isLow && !this.isLow) this.logger.warn('disk.low', { freeMib, leastMib: this.settings.storage.minFreeMib });
    this.isLow = isLow;
    if (isLow) throw new Error('The disk of the data folder is nearly full.');
  }

  private async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.settings.process.dataDir);
    return bavail * bsize;
  }
}

/** False if this process writes nothing below its data folder, as the database and the store are elsewhere. */
export function usesDataFolder({ database, storage }: Pick<Settings, 'database' | 'storage'>): boolean {
  return database.url === undefined || storage.driver === 'local';
}

function registerFreeSpaceMetric(freeBytes: () => Promise<number>): void {
  if (register.getSingleMetric('sutura_data_free_bytes') !== undefined) return;
  new Gauge({
    name: 'sutura_data_free_bytes',
    help: 'Free space of the disk that the data folder is on, in bytes',
    async collect() {
      this.set(await freeBytes().catch(() => Number.NaN));
    },
  });
}
