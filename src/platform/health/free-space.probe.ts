import { mkdir, statfs } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { Logger } from '../logging/logger.js';
import { ReadinessProbe } from './readiness.js';
import { gaugeOf } from './shared-metrics.js';

const MIB = 1024 * 1024;

interface Space {
  readonly freeBytes: number;
  readonly sizeBytes: number;
}

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
    this.registerMetrics();
  }

  async check(): Promise<void> {
    await mkdir(this.settings.process.dataDir, { recursive: true });
    const freeMib = Math.floor((await this.space()).freeBytes / MIB);
    const isLow = freeMib < this.settings.storage.minFreeMib;
    if (isLow && !this.isLow) this.logger.warn('disk.low', { freeMib, leastMib: this.settings.storage.minFreeMib });
    this.isLow = isLow;
    if (isLow) throw new Error('The disk of the data folder is nearly full.');
  }

  private registerMetrics(): void {
    const bytes = (of: (space: Space) => number) => () => this.space().then(of, () => null);
    gaugeOf(
      'sutura_data_free_bytes',
      'Free space of the disk that the data folder is on, in bytes',
      bytes(({ freeBytes }) => freeBytes),
    );
    gaugeOf(
      'sutura_data_size_bytes',
      'Size of the disk that the data folder is on, in bytes',
      bytes(({ sizeBytes }) => sizeBytes),
    );
    gaugeOf(
      'sutura_data_least_free_bytes',
      'Free space of the data folder below which this process is not ready (SUTURA_MIN_FREE_MIB), in bytes',
      () => this.settings.storage.minFreeMib * MIB,
    );
  }

  private async space(): Promise<Space> {
    const { bavail, blocks, bsize } = await statfs(this.settings.process.dataDir);
    return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
  }
}

/** False if this process writes nothing below its data folder, as the database and the store are elsewhere. */
export function usesDataFolder({ database, storage }: Pick<Settings, 'database' | 'storage'>): boolean {
  return database.url === undefined || storage.driver === 'local';
}
