import type { ObjectStore } from '../../src/core/images/object-store.js';

/** The parts of an object store that keep bytes, in memory. */
export class MemoryStore implements Pick<ObjectStore, 'put' | 'get' | 'deleteAll' | 'check'> {
  readonly objects = new Map<string, Uint8Array>();

  put(objectKey: string, bytes: Uint8Array): Promise<void> {
    this.objects.set(objectKey, bytes);
    return Promise.resolve();
  }

  get(objectKey: string): Promise<Uint8Array | null> {
    return Promise.resolve(this.objects.get(objectKey) ?? null);
  }

  check(): Promise<void> {
    return Promise.resolve();
  }

  deleteAll(prefix: string): Promise<void> {
    for (const key of this.objects.keys()) if (key.startsWith(prefix)) this.objects.delete(key);
    return Promise.resolve();
  }

  /** The keys below a prefix, in order. */
  keys(prefix: string): string[] {
    return [...this.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
  }
}
