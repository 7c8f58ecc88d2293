import type { EhrCapabilities } from '../../../ehrs/index.js';
import type { KeptResource } from '../queue/kept-resource.js';
import type { BegunWrite, OpenWrite } from '../queue/open-writes.js';
import type { PushingEhr } from '../settings/pushing-ehr.js';

/** What earlier attempts of a delivery left. */
export interface EarlierAttempts {
  /** Writes that may stand, or be carried out yet, by the chart. */
  readonly open: readonly OpenWrite[];
  /** What it was filed as, where it is sent once more. */
  readonly filed: readonly KeptResource[];
  /** Another version of its number may stand there that this service has forgotten: its database was restored. */
  readonly isForgotten: boolean;
}

/** How long is waited for what may be carried out late. */
export interface FilingPatience {
  /** So long a write that nothing was heard of is looked for; then a person is asked. */
  readonly lateMs: number;
  /** So long what the EHR has taken is looked for; then a person is asked. */
  readonly takenMs: number;
}

/** What the ledger is told while a delivery is filed. */
export interface FilingMarks {
  /** So many writes of earlier versions had begun when they were looked at. */
  sawBefore(begun: number): void;
  /** Before a write: from here on it may stand there. HeldError `ehr_report_gone`, `ehr_superseded`; NoEhrAnswerError `broken_off`. */
  begin(write: BegunWrite): Promise<void>;
  /** The write that was begun last was not carried out: the EHR said so. */
  refused(): Promise<void>;
  /** The EHR has made it (201) or does so later (202), and did not say where. */
  taken(): Promise<void>;
  /** Nothing was heard of the write that was begun last. */
  unheard(): Promise<void>;
  /** The EHR said where that is which the write that was begun last has made, and others may stand beside it: it is known, and not filed yet. */
  placed(kept: readonly KeptResource[]): Promise<void>;
  /** The EHR said where that is which the write that was begun last has made, or what it has changed. */
  answered(): void;
  /** What stands at the target of a change is what it makes of it; null: at all of a transaction. */
  done(target: string | null): void;
  /** A search has shown what is known in this chart, and nothing beside it. */
  alone(patient: string): void;
  /** A search has found what a create has left in this chart. */
  found(patient: string): void;
  /** What a look has found of an earlier version, whose delivery does not know of it. */
  adopted(found: KeptResource): void;
  /** What the delivery was filed as is there no more, or stands for nothing there. */
  forget(gone: Pick<KeptResource, 'type' | 'id'>): void;
}

/** How a request stands to those before it. */
export interface FilingTurn {
  readonly ehr: PushingEhr;
  readonly capability: EhrCapabilities;
  readonly earlier: EarlierAttempts;
  /** A person was told that nobody knows whether it is there, has looked, and asked for it anew. */
  readonly isAskedAnew: boolean;
  /** When they asked: what was sent after that they have not looked for. null: they have not. */
  readonly askedAtMs: number | null;
  /** So they have once, for this request or one before. */
  readonly wasAskedAnew: boolean;
  readonly reportId: string;
  readonly patience: FilingPatience;
  readonly marks: FilingMarks;
  readonly signal: AbortSignal;
}

/** Something of this delivery may be in the EHR. */
export function mayBeThere({ earlier }: Pick<FilingTurn, 'earlier'>): boolean {
  return earlier.open.length > 0 || earlier.filed.length > 0 || earlier.isForgotten;
}

/** As it was filed, where a look has found what the delivery was filed as: what became of it since is somebody else's. */
export function asFiled<T extends Pick<KeptResource, 'type' | 'id' | 'versionId' | 'mayDiffer'>>(
  found: T,
  turn: FilingTurn,
): T {
  const kept = turn.earlier.filed.find(({ type, id }) => type === found.type && id === found.id);
  if (kept === undefined) return found;
  const { versionId, mayDiffer = false } = kept;
  return { ...found, versionId, mayDiffer };
}

/** Whose look it is. */
export type LookTurn = Pick<FilingTurn, 'ehr' | 'reportId' | 'isAskedAnew' | 'patience' | 'signal'>;
