import type { Tenant } from '../../../../core/tenancy/tenant.js';
import { NO_AUTHORITIES, type AuthorityTable } from '../../../../core/patients/authority-table.js';
import type { CodeMaps } from './mapped-fields.js';

/**
 * The settings by which messages of one sender are read: those of its listener, or of the listener that POST /hl7v2 of
 * its key is read by.
 */
export interface Hl7Source extends Tenant {
  /** Of the listener. */
  readonly id: string;
  readonly name: string;
  /** IANA zone of times without an offset. */
  readonly timeZone: string;
  /** Character set of messages with an empty MSH-18; null: UTF-8 where it is valid, else windows-1252. */
  readonly characterSet: string | null;
  /** Accepted values of MSH-11. */
  readonly processingIds: readonly string[];
  readonly acknowledgment: 'auto' | 'original' | 'enhanced';
  /** FHIR system of wound numbers; null: the organization's own, "". */
  readonly woundIdSystem: string | null;
  /** `required`: a photo or order without a wound number is refused. */
  readonly woundKey: 'optional' | 'required';
  /** The OBR field with the wound number where no OBX row has it; null: none. */
  readonly woundNumberField: 'OBR-18' | 'OBR-19' | null;
  /** The OBR field with the accession number of an order where no IPC segment has it; null: none. */
  readonly accessionField: 'OBR-18' | 'OBR-19' | null;
  /** FHIR system of accession numbers that name no authority; null: the organization's own, "". */
  readonly accessionSystem: string | null;
  /** A photo in an ORU or MDM is analysed without an order. */
  readonly autoAnalyze: boolean;
  /** OBR-4 codes of the sender, `code^system`, that mean the wound assessment. The LOINC panel always does. */
  readonly analysisCodes: readonly string[];
  readonly quotaPolicy: 'hold' | 'reject';
  readonly typedOrderResponse: boolean;
  readonly storeDemographics: boolean;
  /** Handling of patients that no ADT message announced: `create`, `hold` until one does (AA with a warning), or refuse with AE 204. */
  readonly unknownPatient: 'create' | 'hold' | 'reject';
  /** Handling of a known number with another birth date or other given names: `hold` for a person (AA with a warning), or refuse with AE 204. */
  readonly onConflict: 'hold' | 'refuse';
  /**
   * Handling of an MSH-10 used again with other content: refuse with 205, or process (for engines with a rolling
   * counter).
   */
  readonly reusedControlId: 'reject' | 'process';
  /** Accepted MSH-5/MSH-6; empty: any. */
  readonly receivingApplications: readonly string[];
  /** Accepted MSH-3/4 as `application|facility`; empty: any. */
  readonly senders: readonly string[];
  /** Versions 2.1 and 2.2 are accepted as well. */
  readonly lenientVersion: boolean;
  /** Messages that are carried out, such as `ADT^A08`; empty: all that are supported. */
  readonly acceptedMessages: readonly string[];
  /** Assigning authorities (namespace or universal id) whose numbers identify patients; empty: any. */
  readonly patientAuthorities: readonly string[];
  /** FHIR systems by assigning authority: namespace id or universal id → URI. */
  readonly systems: Readonly<Record<string, string>>;
  /** FHIR systems of numbers of patients and visits that name no assigning authority, by sending facility (MSH-4); `*`: any other. */
  readonly bareNumbers: Readonly<Record<string, string>>;
  /** Who assigns numbers, as the organization and its messages have it; absent: nothing is known. */
  readonly authorities?: AuthorityTable;
  /** Our codes by the sender's, for fields that are read by a table. */
  readonly codes: CodeMaps;
  /** Sexes of table 0001 by the sender's codes in PID-8, in upper case. */
  readonly sexCodes: Readonly<Record<string, 'F' | 'M' | 'O' | 'U' | 'A' | 'N'>>;
  /** A frame without MSH is answered with AR, empty MSA-2. */
  readonly nakUnparsable: boolean;
  /** Destination of application acknowledgments in enhanced mode; null: none. */
  readonly returnDestinationId: string | null;
  /** Application acknowledgments go back on the connection of the message. */
  readonly deferredOnSameConnection: boolean;
}

export function authoritiesOf({ authorities = NO_AUTHORITIES }: Pick<Hl7Source, 'authorities'>): AuthorityTable {
  return authorities;
}
