import type { StoredFile } from '../er7/stored-file.js';

type Named = Pick<StoredFile, 'objectKey' | 'sha256'>;

const LIFE_MS = 10_000;
const MOST_BYTES = 16 * 1024 * 1024;
const LARGEST_BYTES = 4 * 1024 * 1024;

/** Files that a message was just made with, in memory for some seconds: most messages leave at once, and to several destinations. */
export class FileCache {
  private readonly files = new Map<string, { readonly bytes: Uint8Array; readonly timer: NodeJS.Timeout }>();
  private totalBytes = 0;

  put(file: Named, bytes: Uint8Array): void {
    const name = nameOf(file);
    if (bytes.length > LARGEST_BYTES || this.files.has(name)) return;
    const timer = setTimeout(() => this.drop(name), LIFE_MS);
    timer.unref();
    this.files.set(name, { bytes, timer });
    this.totalBytes += bytes.length;
    for (const oldest of this.files.keys()) {
      if (this.totalBytes <= MOST_BYTES) return;
      this.drop(oldest);
    }
  }

  find(file: Named): Uint8Array | null {
    return this.files.get(nameOf(file))?.bytes ?? null;
  }

  private drop(name: string): void {
    const file = this.files.get(name);
    if (file === undefined) return;
    clearTimeout(file.timer);
    this.files.delete(name);
    this.totalBytes -= file.bytes.length;
  }
}

/** By its digest as well: another document may be made in its place. */
function nameOf({ objectKey, sha256 }: Named): string {
  return `${sha256} ${objectKey}`;
}
