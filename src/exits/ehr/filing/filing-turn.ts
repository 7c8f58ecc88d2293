import type { EhrCapabilities } from '../../../ehrs/index.js';
import type { KeptResource } from '../queue/filed-ledger.js';
import type { PushingEhr } from '../settings/pushing-ehr.js';

/** What earlier attempts of a delivery left. */
export interface EarlierAttempts {
  /** A write may have arrived, and no answer told what became of it. */
  readonly isUnsettled: boolean;
  /** `Patient/id` in whose chart that was. */
  readonly patient: string | null;
  /** What it was filed as, where it is sent once more. */
  readonly filed: readonly KeptResource[];
  /** The EHR has made it (201) or does so later (202), and did not say where: it is looked for, and not sent again. */
  readonly isTaken: boolean;
  /** Attempts in a row without a decisive answer. */
  readonly failures: number;
}

/** How a request stands to those before it. */
export interface FilingTurn {
  readonly ehr: PushingEhr;
  readonly capability: EhrCapabilities;
  readonly earlier: EarlierAttempts;
  /** A person was told that nobody knows whether it is there, has looked, and asked for it anew. */
  readonly isAskedAnew: boolean;
  readonly reportId: string;
  readonly signal: AbortSignal;
  /** Before a write to the chart of a patient (`Patient/id`): from here on it may stand there. `ehr_report_gone`, `ehr_superseded`; NoEhrAnswerError `broken_off`. */
  begin(patient: string): Promise<void>;
  /** The write that was begun last is not there: the EHR said so. */
  settle(): Promise<void>;
}

/** Something of this delivery may be in the EHR. */
export function mayBeThere({ earlier }: Pick<FilingTurn, 'earlier'>): boolean {
  return earlier.isUnsettled || earlier.filed.length > 0;
}
