/** A back-up or a restore that cannot be made. The text says what to do, and that nothing was left behind. */
export class BackupRefusal extends Error {}

const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);

/** Runs work that fills a folder; a full disk becomes a BackupRefusal, anything else passes. */
export async function refusingFullDisk<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (fault) {
    if (!isFullDisk(fault)) throw fault;
    throw new BackupRefusal(
      `The disk of ${folder} is full. What was begun there was removed; make room, and try again.`,
    );
  }
}

export function isFullDisk(fault: unknown): boolean {
  return NO_ROOM.has(String((fault as { code?: unknown } | null)?.code));
}
