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
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};
const NOT_THERE = ['ENOENT', 'ENOTDIR'];

/** Reads a file below `root`; null: there is none of this name, or pages have none of its type. */
export async function readPageFile(root: string, path: string): Promise<PageFile | null> {
  const contentType = CONTENT_TYPES[extname(path)];
  if (contentType === undefined) return null;
  try {
    const bytes = await readFile(join(root, path));
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
    return { bytes, contentType, etag };
  } catch (fault) {
    if (NOT_THERE.includes((fault as NodeJS.ErrnoException).code ?? '')) return null;
    throw fault;
  }
}
