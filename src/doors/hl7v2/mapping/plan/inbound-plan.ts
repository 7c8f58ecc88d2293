import type { Bundle } from '@medplum/fhirtypes';
import type { NewOrderPhoto, OrderNumber, PatientJoin } from '../../../../standards/hl7v2/records/clinical-records.js';
import type { ReceivedOrder } from '../../../../standards/hl7v2/records/received-orders.js';
import type { SeenFacility, StatedPair } from '../../../../core/patients/learned-authorities.js';
import type { PatientIdentifier } from '../../../../core/patients/patient.js';
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

/** What a message tells of authorities that nobody knows yet. */
export interface PlanAuthorities {
  /** Names that it states for one authority, each where it first stands. */
  readonly forms: readonly (StatedPair & { readonly place: ProblemPlace })[];
  /** Its facility, whose bare numbers come by this connection for the first time; null: they do not. */
  readonly facility: SeenFacility | null;
}

/** A number of a facility that may be the one of another facility's patient. */
export interface UnsureNumber extends SeenFacility {
  /** The record that has the number in the organization's own numbering. */
  readonly patientId: string;
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
  /** Placers' numbers that no order may have yet when the plan is carried out. */
  readonly newOrders: readonly OrderNumber[];
  /** People that the record knows otherwise; their problems are among those below. */
  readonly conflicts: readonly PlanConflict[];
  readonly authorities?: PlanAuthorities;
  /** Whose numbers the facility has is to be asked; absent: no. Its problem is among those below. */
  readonly unsure?: UnsureNumber | null;
  /** The numbers of each patient whom nobody has announced, where their messages wait for that; absent: none. Their problems are among those below. */
  readonly awaited?: readonly (readonly PatientIdentifier[])[];
  /** Numbers of patients who are known, or get a record now, where earlier messages about them may have waited for that; absent: none. */
  readonly named?: readonly PatientIdentifier[];
  /** A problem with severity `error` refuses the message. */
  readonly problems: readonly Hl7Problem[];
  readonly orders: readonly {
    readonly action: OrderAction;
    readonly received: ReceivedOrder;
    /** Index in bundle.entry of the ServiceRequest; null: none. */ readonly entry: number | null;
  }[];
}
