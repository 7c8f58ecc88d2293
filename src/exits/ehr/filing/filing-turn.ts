import type { EhrCapabilities } from '../../../ehrs/index.js';
import type { FiledPart, FiledType } from '../dialects/filing.js';
import type { PushingEhr } from '../settings/pushing-ehr.js';

/** A resource as it was filed; `id` null: the EHR took it and did not name it. */
export interface Filed {
  readonly part: FiledPart;
  readonly type: FiledType;
  readonly id: string | null;
  readonly versionId: string | null;
}

/** How a request stands to those before it. */
export interface FilingTurn {
  readonly ehr: PushingEhr;
  readonly capability: EhrCapabilities;
  /** An earlier request may have arrived. */
  readonly mayBeThere: boolean;
  /** A person has looked, and asked for it anew. */
  readonly isAskedAnew: boolean;
  readonly signal: AbortSignal;
}
