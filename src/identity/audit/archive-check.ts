import { createHash } from 'node:crypto';
import type { ChainHead } from '../../core/audit/audit-anchor.js';
import type { AuditArchive } from '../../core/audit/audit-archive.js';
import type { ExportEnd } from '../../core/audit/audit-export.js';
import { exportText } from '../../core/audit/audit-export.js';
import type { AuditBreak } from '../../core/audit/audit-log.js';
import type { AuditSignature } from '../../core/audit/audit-signer.js';
import { ExportCheck } from './audit-export-check.js';

interface ArchiveSources {
  readonly archives: () => Promise<readonly AuditArchive[]>;
  /** null: the store has lost or changed them. */
  readonly read: (archive: AuditArchive) => Promise<Uint8Array | null>;
  readonly heads: () => Promise<readonly ChainHead[] | 'changed'>;
  readonly isSigned: (text: string, signature: AuditSignature) => Promise<boolean>;
}

interface ArchiveVerdict {
  readonly rows: number;
  readonly seals: number;
  readonly breaks: readonly AuditBreak[];
}

/**
 * Reads every archive: that it is the file of its name, whole, signed by our key, follows the one before, and has the head that was kept elsewhere
 * where that is an old one. One file is in memory at a time.
 */
export async function checkArchives(sources: ArchiveSources): Promise<ArchiveVerdict> {
  const breaks: AuditBreak[] = [];
  const heads = await sources.heads();
  let [rows, seals] = [0, 0];
  let chain: { readonly name: string; readonly check: ExportCheck; next: number } | undefined;
  for (const archive of await sources.archives()) {
    const { organizationId, environment, first, last } = archive;
    const name = `${organizationId} ${environment}`;
    if (chain?.name !== name) chain = { name, check: new ExportCheck(null), next: 1 };
    const fail = (seal: number, reason: AuditBreak['reason']): void =>
      void breaks.push({ organizationId, environment, seal, reason });
    if (first !== chain.next) fail(chain.next, 'archive_missing');
    chain.next = last + 1;
    const bytes = await sources.read(archive);
    if (bytes === null) {
      fail(first, 'archive_missing');
      chain = undefined;
      continue;
    }
    const before = chain.check.soFar();
    const text = Buffer.from(bytes).toString('utf8');
    await chain.check.read(archive.id, [text]);
    const after = chain.check.soFar();
    rows += after.rows - before.rows;
    seals += after.seals - before.seals;
    const end = after.chains[0];
    const isIt =
      createHash('sha256').update(bytes).digest('hex') === archive.sha256 &&
      after.breaks.length === before.breaks.length &&
      after.chains.length === 1 &&
      end?.organizationId === organizationId &&
      end.environment === environment &&
      end.last === last &&
      end.hash === archive.hash &&
      (await isOurs(text, sources));
    if (!isIt) fail(first, 'archive_changed');
    for (const head of heads === 'changed' ? [] : heads.filter((one) => isIn(one, archive)))
      if (!text.includes(`"number":${head.number},`) || !text.includes(`"hash":"${head.hash}"}}`))
        fail(head.number, 'end_cut_off');
  }
  return { rows, seals, breaks };
}

function isIn(head: ChainHead, { organizationId, environment, first, last }: AuditArchive): boolean {
  return (
    head.organizationId === organizationId &&
    head.environment === environment &&
    head.number >= first &&
    head.number <= last
  );
}

/** By the present key or one before, not by one that came with the file. */
async function isOurs(text: string, { isSigned }: ArchiveSources): Promise<boolean> {
  try {
    const line = text.slice(text.lastIndexOf('\n', text.length - 2) + 1);
    const { end } = JSON.parse(line) as { readonly end: ExportEnd };
    return await isSigned(exportText(end.chains), end);
  } catch {
    return false;
  }
}
