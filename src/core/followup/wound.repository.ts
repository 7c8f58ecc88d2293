import type { Wound, WoundDescription, WoundEvent, WoundKey, WoundStatus } from './wound.js';
import type { LookUpCursor, LookUpPage } from '../analysis/look-up-page.js';
import type { PatientIdentifier } from '../patients/patient.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';

export interface WoundFilter {
  /** The caller's own patient id, in any system. */
  readonly patientId?: string | undefined;
  /** The caller's own wound id. */
  readonly woundId?: string | undefined;
  readonly status?: WoundStatus | undefined;
  /** False: only those whose assessment named no wound. */
  readonly linked?: boolean | undefined;
  /** True: only wounds that stand for themselves and have a report that waits for a person; false: those that have none. */
  readonly attention?: boolean | undefined;
  /** Pairs of the caller's own, all of which one job of a photo of the wound has, or of one that was joined into it. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** A wound with its place in a list. */
export interface PlacedWound extends Wound {
  /** When it was made; in a look-up by pairs perhaps when the newest of its jobs with them was. */
  readonly listedAt: Date;
}

export type WoundChange = Partial<WoundDescription & Pick<Wound, 'status' | 'closedAt' | 'mergedInto'>>;

export abstract class WoundRepository {
  abstract insert(transaction: TenantTransaction, wound: Wound): Promise<void>;
  /** The wound with this key, made from `fresh` where there is none yet. Safe against concurrent callers. */
  abstract resolve(transaction: TenantTransaction, key: WoundKey, fresh: Wound): Promise<Wound>;
  /** null for unknown, malformed, foreign. */
  abstract find(transaction: TenantTransaction, woundId: string): Promise<Wound | null>;
  abstract findByKey(transaction: TenantTransaction, key: WoundKey): Promise<Wound | null>;
  /** The wound with this key, locked as by lockRoot. null: there is none, or it is part of another. */
  abstract lockByKey(transaction: TenantTransaction, key: WoundKey): Promise<Wound | null>;
  /**
   * The wound that this one is part of, itself where it was not merged; its row stays locked until the transaction ends,
   * so that a series is changed by one caller at a time.
   */
  abstract lockRoot(transaction: TenantTransaction, woundId: string): Promise<Wound>;
  /** As lockRoot, without the lock. */
  abstract rootOf(transaction: TenantTransaction, woundId: string): Promise<Wound>;
  /** Newest first, those of a look-up by pairs perhaps by the newest of their jobs. */
  abstract list(
    transaction: TenantTransaction,
    filter: WoundFilter,
    limit: number,
    after: LookUpCursor | null,
  ): Promise<LookUpPage<PlacedWound>>;
  /** Wounds of the same patient that could be the same wound: same site and side, where both are stated; none that was merged. */
  abstract candidates(transaction: TenantTransaction, wound: Wound): Promise<Wound[]>;
  /** Gives an unlinked wound a name, so that a further photo can say that it is of this wound; one that has a name keeps it. */
  abstract name(
    transaction: TenantTransaction,
    woundId: string,
    name: Pick<WoundKey, 'woundIdSystem' | 'woundId'>,
  ): Promise<void>;
  abstract update(transaction: TenantTransaction, woundId: string, change: WoundChange): Promise<void>;
  /** All wounds of a patient, those that were merged too, oldest first. */
  abstract ofPatient(transaction: TenantTransaction, patientId: string): Promise<Wound[]>;
  /** Files the wound under another patient; `named` false: it gives up its number, which another wound of that patient has. */
  abstract assign(
    transaction: TenantTransaction,
    woundId: string,
    to: { readonly patientId: string; readonly patient: PatientIdentifier; readonly named: boolean },
  ): Promise<void>;
  abstract record(transaction: TenantTransaction, event: WoundEvent): Promise<void>;
  /** Oldest first. */
  abstract history(transaction: TenantTransaction, woundId: string): Promise<WoundEvent[]>;
}
