import type { Bundle } from '@medplum/fhirtypes';
import type { NewOrderPhoto, PatientJoin } from '../../records/clinical-records.js';
import type { ReceivedOrder } from '../../records/received-orders.js';
import type { Hl7Problem, ProblemPlace } from '../../problems/hl7-problem.js';

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
    readonly received: ReceivedOrder;
    /** Index in bundle.entry of the ServiceRequest; null: none. */ readonly entry: number | null;
  }[];
}
