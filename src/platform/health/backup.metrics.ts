import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../core/ports/clock.js';
import { Settings } from '../config/settings.js';
import { gaugeOf } from './shared-metrics.js';

/**
 * Of the data folder; its time of change is that of the last back-up. `npm run backup` writes it, and whoever backs up by other means touches it.
 */
export const LAST_BACKUP_FILE = 'last-backup';

/** The age of the last back-up. The embedded database counts from its first start until there is one. */
@Injectable()
export class BackupMetrics implements OnModuleInit {
  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    gaugeOf(
      'sutura_backup_age_seconds',
      'Time since the last back-up, as the file last-backup of the data folder says; with the embedded database since its first start where there was none',
      () => this.ageS(),
    );
    gaugeOf(
      'sutura_backup_taken',
      '1 where there was a back-up, as the file last-backup of the data folder says; 0 where its age counts from the first start, or nobody has told of one',
      async () => ((await this.takenMs()) === null ? 0 : 1),
    );
  }

  private takenMs(): Promise<number | null> {
    return changedMs(join(this.settings.process.dataDir, LAST_BACKUP_FILE));
  }

  private async ageS(): Promise<number | null> {
    const { dataDir } = this.settings.process;
    const backedUpMs =
      (await this.takenMs()) ??
      (this.settings.database.url === undefined ? await changedMs(join(dataDir, 'postgres', 'PG_VERSION')) : null);
    return backedUpMs === null ? null : Math.max(0, (this.clock.now().getTime() - backedUpMs) / 1000);
  }
}

async function changedMs(path: string): Promise<number | null> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
}
