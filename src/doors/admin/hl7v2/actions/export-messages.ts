import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import type { ExportQuery } from '../operations/hl7.schema.js';
import type { EXPORTED_MESSAGE } from '../operations/message-operations.js';

/** The result of an export, by message id. */
export interface ExportedFiles {
  readonly written: readonly string[];
  /** No configured key decrypts them, or the object store lacks a file of them. */
  readonly sealed: readonly string[];
  readonly remaining: boolean;
}

/** Writes messages into a folder, newest first, one file each: `ID.hl7`, readable by its owner alone. */
export async function exportInto(
  folder: string,
  pageOf: (query: ExportQuery) => Promise<readonly z.output<typeof EXPORTED_MESSAGE>[]>,
  query: ExportQuery,
  limit: number,
): Promise<ExportedFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const [written, sealed]: [string[], string[]] = [[], []];
  for (let after = query.after; ;) {
    const left = limit - written.length - sealed.length;
    if (left === 0) return { written, sealed, remaining: true };
    const page = await pageOf({
      ...query,
      limit: Math.min(query.limit, left),
      ...(after === undefined ? {} : { after }),
    });
    for (const { messageId, rawBase64 } of page) {
      if (rawBase64 === null) sealed.push(messageId);
      else {
        await writeFile(join(folder, `${messageId}.hl7`), Buffer.from(rawBase64, 'base64'), { mode: 0o600 });
        written.push(messageId);
      }
    }
    after = page.at(-1)?.messageId;
    if (after === undefined) return { written, sealed, remaining: false };
  }
}
