import { createHash } from 'node:crypto';
import type { ArchivedRedaction, Redact } from '../../core/audit/audit-archive.js';
import { exportText, type ExportEnd } from '../../core/audit/audit-export.js';
import type { AuditSigner } from '../../core/audit/audit-signer.js';

/** Places in a row of the export (docs/audit.md). */
const PLACES = { id: 0, door: 4, interaction: 5, patientId: 10, resources: 11, query: 12 } as const;

interface RedactedFile {
  readonly pieces: readonly string[];
  readonly redactions: readonly ArchivedRedaction[];
}

/** The file with other words in rows, which keep the digest that they were sealed with; seals stay, and the end is signed anew. */
export async function redactedFile(
  text: string,
  redact: Redact,
  erasureId: string,
  signer: AuditSigner,
): Promise<RedactedFile> {
  const redactions: ArchivedRedaction[] = [];
  const pieces: string[] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    const changed = line.startsWith('[') ? redactedRow(line, redact) : null;
    if (changed === null) pieces.push(`${line.startsWith('{"end":') ? await signedAnew(line, signer) : line}\n`);
    else {
      const sealedDigest = digestOf(line);
      redactions.push({ rowId: changed.id, contentDigest: digestOf(changed.text), sealedDigest });
      pieces.push(`{"redacted":{"digest":"${sealedDigest}","by":"${erasureId}"},"row":${changed.text}}\n`);
    }
  }
  return { pieces, redactions };
}

function redactedRow(line: string, redact: Redact): { readonly id: string; readonly text: string } | null {
  const row = JSON.parse(line) as unknown[];
  const id = String(row[PLACES.id]);
  const instead = redact({
    id,
    door: String(row[PLACES.door]),
    interaction: String(row[PLACES.interaction]),
    patientId: row[PLACES.patientId] as string | null,
    query: row[PLACES.query] as string | null,
    resources: row[PLACES.resources] as readonly string[],
  });
  if (instead === null) return null;
  const changed = row.with(PLACES.query, instead.query).with(PLACES.resources, instead.resources);
  return { id, text: textOf(changed) };
}

/** As PostgreSQL writes jsonb: a row that is still in the database has the same digest there. */
function textOf(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(textOf).join(', ')}]` : JSON.stringify(value);
}

async function signedAnew(line: string, signer: AuditSigner): Promise<string> {
  const { end } = JSON.parse(line) as { readonly end: ExportEnd };
  const { chains } = end;
  return JSON.stringify({
    end: { chains, publicKey: await signer.publicKey(), ...(await signer.sign(exportText(chains))) },
  });
}

function digestOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
