import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import type { Resource } from '@medplum/fhirtypes';

const ENTRY = '\n    "fullUrl" : "';
const RESOURCE = '\n    "resource" : ';
const END_OF_RESOURCE = '\n    }';
const CANONICAL = '\n      "url" : "';

interface Extent {
  readonly offset: number;
  readonly length: number;
}

/**
 * One of HL7's definition bundles on disk, read entry by entry: parsed whole, they take 120 MB of memory for the few
 * that are wanted. Relies on the layout in which HL7 publishes these files (two spaces a level); strings of JSON hold no line break,
 * so that the marks below cannot stand inside one.
 */
export class DefinitionFile {
  private readonly extents = new Map<string, Extent>();

  constructor(private readonly path: string) {
    const bytes = readFileSync(path);
    for (let at = bytes.indexOf(ENTRY); at !== -1;) {
      const next = bytes.indexOf(ENTRY, at + 1);
      this.index(bytes, at, next === -1 ? bytes.length : next);
      at = next;
    }
    if (this.extents.size === 0) throw new Error(`No definition found in ${path}: its layout has changed.`);
  }

  has(url: string): boolean {
    return this.extents.has(url);
  }

  urls(): IterableIterator<string> {
    return this.extents.keys();
  }

  /** The resource of this canonical URL, parsed anew each time; undefined where the file has none. */
  read<T extends Resource>(url: string): T | undefined {
    const extent = this.extents.get(url);
    if (extent === undefined) return undefined;
    const bytes = Buffer.allocUnsafe(extent.length);
    const file = openSync(this.path, 'r');
    try {
      readSync(file, bytes, 0, extent.length, extent.offset);
    } finally {
      closeSync(file);
    }
    return JSON.parse(bytes.toString('utf8')) as T;
  }

  private index(bytes: Buffer, from: number, to: number): void {
    const offset = bytes.indexOf(RESOURCE, from) + RESOURCE.length;
    const end = bytes.lastIndexOf(END_OF_RESOURCE, to) + END_OF_RESOURCE.length;
    const named = bytes.indexOf(CANONICAL, offset);
    if (offset > to || end <= offset || named === -1 || named > end) return;
    const url = bytes.toString('utf8', named + CANONICAL.length, bytes.indexOf('"', named + CANONICAL.length));
    this.extents.set(url, { offset, length: end - offset });
  }
}
