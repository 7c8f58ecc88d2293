import { createHash, createPublicKey, verify, type Hash, type KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { AUDIT_EXPORT_FORMAT, exportText, type ExportedChain } from '../../core/audit/audit-export.js';
import { ENVIRONMENTS } from '../../core/tenancy/tenant.js';

const hex = z.string().regex(/^(?:[0-9a-f]{64})?$/);
const tenant = { organizationId: z.string(), environment: z.enum(ENVIRONMENTS) };
const count = z.int().nonnegative();
const HEADER = z.object({ format: z.literal(AUDIT_EXPORT_FORMAT), archive: z.boolean().optional() });
const SEAL = z.object({ seal: z.object({ ...tenant, number: count, rows: count, previous: hex, hash: hex }) });
const REDACTED = z.object({ redacted: z.object({ digest: hex, by: z.string() }), row: z.array(z.unknown()) });
const END = z.object({
  end: z.object({
    chains: z.array(z.object({ ...tenant, first: count, last: count, rows: count, hash: hex })),
    publicKey: z.string(),
    keyId: z.string(),
    signature: z.string(),
  }),
});

type Seal = z.output<typeof SEAL>['seal'];
type End = z.output<typeof END>['end'];

/** Why a file is not what was given out, and where. */
export interface ExportBreak {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly reason:
    | 'unreadable'
    | 'row_changed_or_missing'
    | 'seal_changed_or_missing'
    | 'end_missing'
    | 'end_changed'
    | 'signature_wrong'
    | 'redaction_not_accounted';
}

export interface ExportVerdict {
  readonly rows: number;
  readonly seals: number;
  readonly chains: readonly ExportedChain[];
  /** Of the public keys that the files were signed with, SHA-256 in hex. */
  readonly keys: readonly string[];
  /** True where the public key was given from elsewhere. */
  readonly isKeyGiven: boolean;
  readonly breaks: readonly ExportBreak[];
}

/**
 * Checks files of the audit trail by themselves, without a database: every row, every seal and the order of both, from each file to the next,
 * and the signatures. `publicKey`: PEM that the auditor has from elsewhere; null: the one in the file, which then has to be compared by hand.
 */
export async function checkAuditExports(files: readonly string[], publicKey: string | null): Promise<ExportVerdict> {
  const check = new ExportCheck(publicKey);
  for (const file of files) await check.read(file, createReadStream(file, 'utf8') as AsyncIterable<string>);
  return check.conclude();
}

/** Checks one file after the other, as a stream. */
export class ExportCheck {
  private readonly given: KeyObject | null;
  private readonly breaks: ExportBreak[] = [];
  private readonly keys = new Set<string>();
  /** The end of each chain, over all files. */
  private readonly ends = new Map<string, ExportedChain>();
  private readonly places: { readonly file: string; readonly line: number }[] = [];
  private readonly redactions = new Redactions();
  private rows = 0;
  private seals = 0;
  /** The last file is an archive, and the trail continues elsewhere. */
  private goesOn = false;

  constructor(publicKey: string | null) {
    this.given = publicKey === null ? null : createPublicKey(publicKey);
  }

  /** Before the end: redactions are not judged yet. */
  soFar(): Pick<ExportVerdict, 'rows' | 'seals' | 'chains' | 'breaks'> {
    const { rows, seals, breaks } = this;
    return { rows, seals, chains: [...this.ends.values()], breaks: [...breaks] };
  }

  /** Redactions are judged where the files have the chains from their beginnings to their ends: what accounts for them may lie before, or behind. */
  conclude(): ExportVerdict {
    const isWhole = [...this.ends.values()].every(({ first }) => first === 1);
    const last = this.places.at(-1);
    if (isWhole && !this.goesOn && last !== undefined && !this.redactions.areAccounted())
      this.breaks.push({ ...last, reason: 'redaction_not_accounted' });
    const { rows, seals, breaks, keys } = this;
    return { rows, seals, chains: [...this.ends.values()], keys: [...keys], isKeyGiven: this.given !== null, breaks };
  }

  /** `file`: its name; `pieces`: its text. */
  async read(file: string, pieces: AsyncIterable<string> | Iterable<string>): Promise<void> {
    const chains: ExportedChain[] = [];
    // Rows count with their seal: a file that was cut off may end with some that the next has again.
    let unsealed: (() => Buffer)[] = [];
    let [line, isEnded] = [0, false];
    const fail = (reason: ExportBreak['reason']): void => void this.breaks.push({ file, line, reason });
    for await (const text of linesOf(pieces)) {
      line += 1;
      const value = parsed(text);
      if (line === 1) {
        const header = HEADER.safeParse(value);
        if (!header.success) return fail('unreadable');
        this.goesOn = header.data.archive === true;
      } else if (isEnded) fail('end_changed');
      else if (Array.isArray(value))
        unsealed.push(() => {
          this.redactions.readErasure(value);
          return digestOf(text);
        });
      else if (REDACTED.safeParse(value).success) {
        const { redacted } = REDACTED.parse(value);
        unsealed.push(() => this.redactions.take(text, redacted));
      } else if (SEAL.safeParse(value).success) {
        const digests = unsealed.map((digest) => digest());
        this.take(SEAL.parse(value).seal, digests, chains, fail);
        unsealed = [];
      } else if (END.safeParse(value).success) {
        isEnded = true;
        this.close(END.parse(value).end, chains, unsealed.length, fail);
      } else fail('unreadable');
    }
    this.places.push({ file, line });
    if (!isEnded) fail('end_missing');
  }

  private take(
    { rows, number, previous, hash, organizationId, environment }: Seal,
    digests: readonly Buffer[],
    chains: ExportedChain[],
    fail: (reason: ExportBreak['reason']) => void,
  ): void {
    this.seals += 1;
    this.rows += digests.length;
    const sum = createHash('sha256').update(Buffer.from(previous, 'hex'));
    for (const digest of digests) sum.update(digest);
    if (digests.length !== rows || sum.digest('hex') !== hash) fail('row_changed_or_missing');
    const name = `${organizationId} ${environment}`;
    const before = this.ends.get(name);
    const follows =
      before === undefined
        ? (number === 1) === (previous === '')
        : number === before.last + 1 && previous === before.hash;
    if (!follows) fail('seal_changed_or_missing');
    this.ends.set(name, joined(before, { organizationId, environment, first: number, last: number, rows, hash }));
    const at = chains.findIndex(
      (chain) => chain.organizationId === organizationId && chain.environment === environment,
    );
    const own = joined(at < 0 ? undefined : chains[at], {
      organizationId,
      environment,
      first: number,
      last: number,
      rows,
      hash,
    });
    chains.splice(at < 0 ? chains.length : at, 1, own);
  }

  private close(
    { chains: stated, publicKey, signature }: End,
    chains: readonly ExportedChain[],
    unsealed: number,
    fail: (reason: ExportBreak['reason']) => void,
  ): void {
    if (unsealed > 0 || exportText(stated) !== exportText(chains)) fail('end_changed');
    try {
      const key = this.given ?? createPublicKey(publicKey);
      this.keys.add(fingerprintOf(key));
      if (!verify(null, Buffer.from(exportText(stated)), key, Buffer.from(signature, 'base64')))
        fail('signature_wrong');
    } catch {
      fail('signature_wrong');
    }
  }
}

/** Rows whose words an erasure took out: they keep the digest that they were sealed with, and the erasure's last row seals what stands there now. */
class Redactions {
  private readonly sums = new Map<string, Hash>();
  private readonly accounted = new Set<string>();

  /** The digest that the row was sealed with. */
  take(line: string, { digest, by }: { readonly digest: string; readonly by: string }): Buffer {
    const sealed = Buffer.from(digest, 'hex');
    const sum = this.sums.get(by) ?? createHash('sha256');
    this.sums.set(
      by,
      sum.update(digestOf(line.slice(line.indexOf(ROW_BEGINS) + ROW_BEGINS.length, -1))).update(sealed),
    );
    return sealed;
  }

  /** Interaction and query stand in these places of a row. */
  readErasure(row: readonly unknown[]): void {
    const [, erasure, redacted] = row[5] === '$erase' ? (ERASURE.exec(String(row[12])) ?? []) : [];
    if (erasure !== undefined && redacted !== undefined) this.accounted.add(`${erasure} ${redacted}`);
  }

  areAccounted(): boolean {
    return [...this.sums].every(([by, sum]) => this.accounted.has(`${by} ${sum.copy().digest('hex')}`));
  }
}

const ROW_BEGINS = '"row":';
const ERASURE = /^erasure=([0-9a-f-]{36})&state=done.*&redacted=([0-9a-f]{64})/;

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** Of SubjectPublicKeyInfo in DER: what `openssl pkey -pubin -outform DER | sha256sum` says. */
function fingerprintOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

function joined(before: ExportedChain | undefined, next: ExportedChain): ExportedChain {
  return before === undefined ? next : { ...next, first: before.first, rows: before.rows + next.rows };
}

/** Ends of lines are line feeds alone: what readline takes for one besides may stand within a row. */
async function* linesOf(pieces: AsyncIterable<string> | Iterable<string>): AsyncIterable<string> {
  let rest = '';
  for await (const chunk of pieces) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
