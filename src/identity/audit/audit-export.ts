import { open, rename, rm } from 'node:fs/promises';
import {
  AUDIT_EXPORT_FORMAT,
  exportText,
  type ExportEnd,
  type ExportedChain,
  type SealedBlock,
} from '../../core/audit/audit-export.js';
import type { AuditSigner } from '../../core/audit/audit-signer.js';

const OWNER_ONLY = 0o600;

/**
 * Writes sealed rows to a new file, whole or not at all: one JSON value on each line, each row as it was hashed, its seal behind it, and last
 * the signature over the ends of all chains (docs/audit.md). One seal is in memory at a time. Fails where the file is there already.
 */
export async function writeAuditExport(
  path: string,
  blocks: AsyncIterable<SealedBlock>,
  signer: AuditSigner,
  exportedAt: Date,
): Promise<ExportEnd> {
  const taken = await open(path, 'wx', OWNER_ONLY);
  await taken.close();
  const draft = `${path}.part`;
  const file = await open(draft, 'w', OWNER_ONLY);
  try {
    await file.write(`${JSON.stringify({ format: AUDIT_EXPORT_FORMAT, exportedAt: exportedAt.toISOString() })}\n`);
    const chains: ExportedChain[] = [];
    for await (const block of blocks) {
      await file.write(linesOf(block));
      include(chains, block);
    }
    const end = { chains, publicKey: await signer.publicKey(), ...(await signer.sign(exportText(chains))) };
    await file.write(`${JSON.stringify({ end })}\n`);
    await file.sync();
    await rename(draft, path);
    return end;
  } catch (fault) {
    await Promise.all([rm(draft, { force: true }), rm(path, { force: true })]);
    throw fault;
  } finally {
    await file.close();
  }
}

function linesOf({ rows, ...seal }: SealedBlock): string {
  const { organizationId, environment, number, sealedAt, previous, hash } = seal;
  const stated = { organizationId, environment, number, rows: rows.length, sealedAt, previous, hash };
  return [...rows, JSON.stringify({ seal: stated }), ''].join('\n');
}

function include(chains: ExportedChain[], { organizationId, environment, number, hash, rows }: SealedBlock): void {
  const open = chains.at(-1);
  const isSame = open?.organizationId === organizationId && open.environment === environment;
  if (!isSame) chains.push({ organizationId, environment, first: number, last: number, rows: rows.length, hash });
  else chains[chains.length - 1] = { ...open, last: number, rows: open.rows + rows.length, hash };
}
