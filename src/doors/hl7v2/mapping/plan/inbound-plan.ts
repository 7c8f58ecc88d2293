import type { Bundle } from '@medplum/fhirtypes';
import type { NewOrderPhoto, PatientJoin } from '../../../../standards/hl7v2/records/clinical-records.js';
import type { ReceivedOrder } from '../../../../standards/hl7v2/records/received-orders.js';
import type { Hl7Problem, ProblemPlace } from '../../../../standards/hl7v2/problems/hl7-problem.js';

/** ORC-1 of the request, and the action that a typed order response answers. */
export interface OrderAction {
  readonly control: string;
  readonly kind: 'create' | 'change' | 'cancel' | 'hold' | 'release' | 'none';
}

/** A number of one person that came with the birth date or the given names of another. */
export interface PlanConflict {
  /** The record of the number. */
  readonly patientId: string;
  /** The numbers of the message that lead there. */
  readonly numbers: readonly { readonly system: string; readonly value: string }[];
  /** A digest of the numbers and of who came with them. */
  readonly key: Uint8Array;
}

/** The changes that a message asks for, determined before anything is changed. */
export interface InboundPlan {
  /** A transaction Bundle; null: the message is kept and changes nothing. */
  readonly bundle: Bundle | null;
  /** The place in the message of each Bundle entry, in order; a refusal of an entry points there. */
  readonly places: readonly (ProblemPlace | null)[];
  readonly joins: readonly PatientJoin[];
  /** Ids of orders that must still wait for their photo when the plan is carried out. */
  readonly waitingOrders: readonly string[];
  /** Photos that their orders must still lack when the plan is carried out. */
  readonly newPhotos: readonly NewOrderPhoto[];
  /** People that the record knows otherwise; their problems are among those below. */
  readonly conflicts: readonly PlanConflict[];
  /** A problem with severity `error` refuses the message. */
  readonly problems: readonly Hl7Problem[];
  readonly orders: readonly {
    readonly action: OrderAction;
    readonly received: ReceivedOrder;
    /** Index in bundle.entry of the ServiceRequest; null: none. */ readonly entry: number | null;
  }[];
}
