import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { SettingsError } from '../config/settings.js';

/**
 * The folder inside the data folder in which a restore builds everything. It is removed last, so that whatever lies
 * beside it is not used before it is whole.
 */
export const UNFINISHED_RESTORE = 'restore.unfinished';

/** SettingsError where a restore into this data folder was begun and did not end. */
export async function refuseUnfinishedRestore(dataDir: string): Promise<void> {
  const exists = await access(join(dataDir, UNFINISHED_RESTORE)).then(
    () => true,
    () => false,
  );
  if (!exists) return;
  throw new SettingsError(
    `A restore into SUTURA_DATA_DIR is under way or did not end (${UNFINISHED_RESTORE}). Nothing was started. If none runs, empty the folder and restore again.`,
  );
}
