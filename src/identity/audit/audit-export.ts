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
 * An export as pieces of text: one JSON value on each line, each row as it was hashed, its seal behind it, and last the signature over the ends of all
 * chains (docs/audit.md). One seal is in memory at a time. Returns what the last line says. `archive`: what follows lies elsewhere.
 */
export async function* auditExport(
  blocks: AsyncIterable<SealedBlock>,
  signer: AuditSigner,
  exportedAt: Date,
  { archive = false }: { readonly archive?: boolean } = {},
): AsyncGenerator<string, ExportEnd> {
  const kind = archive ? { archive } : {};
  yield `${JSON.stringify({ format: AUDIT_EXPORT_FORMAT, exportedAt: exportedAt.toISOString(), ...kind })}\n`;
  const chains: ExportedChain[] = [];
  for await (const block of blocks) {
    yield linesOf(block);
    include(chains, block);
  }
  const end = { chains, publicKey: await signer.publicKey(), ...(await signer.sign(exportText(chains))) };
  yield `${JSON.stringify({ end })}\n`;
  return end;
}

/** Writes an export to a new file, whole or not at all. Fails where the file is there already. */
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
    const pieces = auditExport(blocks, signer, exportedAt);
    let piece = await pieces.next();
    for (; piece.done !== true; piece = await pieces.next()) await file.write(piece.value);
    await file.sync();
    await rename(draft, path);
    return piece.value;
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
