import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Moves a file so that after a power cut it is either in its old or its new place, whole. Makes the folders on the way. */
export async function moveDurably(from: string, to: string): Promise<void> {
  const folder = dirname(to);
  const firstMade = await mkdir(folder, { recursive: true });
  await rename(from, to);
  await syncFolder(folder);
  if (firstMade === undefined) return;
  // A new folder is an entry of its parent, which has to reach the disk as well.
  for (let made = folder; made.length >= firstMade.length; made = dirname(made)) await syncFolder(dirname(made));
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
