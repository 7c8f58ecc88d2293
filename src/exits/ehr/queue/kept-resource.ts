import type { FiledPart, FiledType } from '../dialects/filing.js';

/** A resource as the row of its delivery keeps it; `id` null: the EHR named none. */
export interface KeptResource {
  readonly part: FiledPart;
  readonly type: FiledType;
  readonly id: string | null;
  readonly versionId: string | null;
  /** `Patient/id` in whose chart it is. */
  readonly patient: string;
  /** It was found after nothing was heard of its write, and what stands there is not what was sent: somebody may have written into it since. */
  readonly mayDiffer?: boolean;
  /** Of an earlier version of the report, that was found when this one was filed; absent: of this one. */
  readonly version?: number;
  /** Absent: it stands. */
  readonly ended?: 'entered-in-error' | 'superseded';
}
