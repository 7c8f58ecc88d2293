import type { Bundle } from '@medplum/fhirtypes';
import type { NewOrderPhoto, PatientJoin } from '../../records/clinical-records.js';
import type { Hl7Problem, ProblemPlace } from '../../problems/hl7-problem.js';

/**
 * What results and answers say again exactly as it was received. Raw ER7 of single fields or whole segments, with the delimiters `|^~\&`
 * whatever the message used, decoded to Unicode. "" where the message had none.
 */
export interface OrderEcho {
  /** The placer's number (ORC-2, else OBR-2) as an identifier: what orders are found by. */
  readonly placerSystem: string;
  readonly placerValue: string;
  /** Fields. */
  readonly orc2: string;
  readonly orc12: string;
  readonly obr4: string;
  readonly obr16: string;
  readonly obr31: string;
  /** Whole segments. */
  readonly pid: string;
  readonly pv1: string;
}

/** ORC-1 of the request and what it is answered with in a typed order response. */
export interface OrderAction {
  readonly control: string;
  readonly kind: 'create' | 'change' | 'cancel' | 'hold' | 'release' | 'none';
}

/** What a message asks for, found out before anything is changed. */
export interface InboundPlan {
  /** A transaction; null: the message is kept and changes nothing. */
  readonly bundle: Bundle | null;
  /** Where in the message each entry of the Bundle comes from, in their order: what a refusal of an entry points at. */
  readonly places: readonly (ProblemPlace | null)[];
  readonly joins: readonly PatientJoin[];
  /** Ids of orders that must still wait for their photo when the plan is carried out. */
  readonly waitingOrders: readonly string[];
  /** Photos that their orders must still lack when the plan is carried out. */
  readonly newPhotos: readonly NewOrderPhoto[];
  /** One with severity `error` refuses the message. */
  readonly problems: readonly Hl7Problem[];
  readonly orders: readonly {
    readonly action: OrderAction;
    readonly echo: OrderEcho;
    /** Index in bundle.entry of the ServiceRequest; null: none. */ readonly entry: number | null;
  }[];
}
