import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** A file of the pages as it is served. */
export interface PageFile {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly etag: string;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** A name that the build makes: no folder, nothing hidden. */
const SAFE_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,119}$/;

/** The built files of the pages (`dist/web`), each read with the first request for it. */
export class PageFiles {
  private readonly read = new Map<string, Promise<PageFile>>();

  constructor(private readonly root: string) {}

  /** A page or a file beside it; null: there is none of this name. */
  page(name: string): Promise<PageFile | null> {
    return this.find(name);
  }

  /** A script or a style sheet, whose name changes with its content; null: there is none of this name. */
  asset(name: string): Promise<PageFile | null> {
    return SAFE_NAME.test(name) ? this.find(join('assets', name)) : Promise.resolve(null);
  }

  private async find(path: string): Promise<PageFile | null> {
    const contentType = CONTENT_TYPES[extname(path)];
    if (contentType === undefined) return null;
    const known = this.read.get(path) ?? this.remember(path, contentType);
    return known.catch((fault: NodeJS.ErrnoException) => {
      if (fault.code === 'ENOENT') return null;
      throw fault;
    });
  }

  /** What is not there is not remembered, so that names that somebody makes up take no memory. */
  private remember(path: string, contentType: string): Promise<PageFile> {
    const reading = readFile(join(this.root, path)).then((bytes) => ({
      bytes,
      contentType,
      etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    }));
    this.read.set(path, reading);
    reading.catch(() => this.read.delete(path));
    return reading;
  }
}
