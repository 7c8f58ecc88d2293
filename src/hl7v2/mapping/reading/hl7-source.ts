import type { Tenant } from '../../../core/tenancy/tenant.js';

/** How messages of one sender are read: settings of the listener, or of the key that posts to /hl7v2. */
export interface Hl7Source extends Tenant {
  /** Of the listener. */
  readonly id: string;
  readonly name: string;
  /** IANA zone of times without one. */
  readonly timeZone: string;
  /** Of messages with an empty MSH-18; null: UTF-8 where it is valid, else windows-1252. */
  readonly characterSet: string | null;
  /** Text of MSH-11 that is taken. */
  readonly processingIds: readonly string[];
  readonly acknowledgment: 'auto' | 'original' | 'enhanced';
  /** Numbering of wound numbers; null: the organization's own, "". */
  readonly woundIdSystem: string | null;
  /** `required`: a photo or order without a wound number is refused. */
  readonly woundKey: 'optional' | 'required';
  /** The placer field of OBR that carries the wound number where no OBX row does; null: none. */
  readonly woundNumberField: 'OBR-18' | 'OBR-19' | null;
  /** A photo in an ORU or MDM is analysed without an order. */
  readonly autoAnalyze: boolean;
  /** OBR-4 codes of the sender, `code^system`, that mean the wound assessment. The LOINC panel always does. */
  readonly analysisCodes: readonly string[];
  readonly quotaPolicy: 'hold' | 'reject';
  readonly typedOrderResponse: boolean;
  readonly storeDemographics: boolean;
  /** Patients that no message announced: `create`, or AE 204. */
  readonly unknownPatient: 'create' | 'reject';
  /** Where MSH-10 is used again with other content: refuse with 205, or process (engines with a rolling counter). */
  readonly reusedControlId: 'reject' | 'process';
  /** MSH-5/MSH-6 that are ours; empty: any. */
  readonly receivingApplications: readonly string[];
  /** `application|facility` of MSH-3/4 that may send; empty: any. */
  readonly senders: readonly string[];
  /** 2.1 and 2.2 are read, too. */
  readonly lenientVersion: boolean;
  /** Messages that are carried out, `ADT^A08`; empty: all that the door takes. */
  readonly acceptedMessages: readonly string[];
  /** Assigning authorities (namespace or universal id) whose numbers patients are known by; empty: any. */
  readonly patientAuthorities: readonly string[];
  /** FHIR systems by assigning authority: namespace id or universal id → URI. */
  readonly systems: Readonly<Record<string, string>>;
  /** A frame without MSH is answered with AR, empty MSA-2. */
  readonly nakUnparsable: boolean;
  /** The destination that application acknowledgments of enhanced mode go to; null: none. */
  readonly returnDestinationId: string | null;
  /** Application acknowledgments go back on the connection of the message. */
  readonly deferredOnSameConnection: boolean;
}
