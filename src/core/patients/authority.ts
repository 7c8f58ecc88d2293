import { namespaceSystem } from './authority-forms.js';
import type { Environment } from '../tenancy/tenant.js';

/** Doors whose numbers can lack an authority. */
export const AUTHORITY_DOORS = ['rest', 'fhir', 'hl7v2'] as const;
export type AuthorityDoor = (typeof AUTHORITY_DOORS)[number];

/** Who assigns numbers, and everything that senders call them. */
export interface AuthorityForms {
  /** For people. */
  readonly name: string | null;
  /** HL7 namespace (HD-1), in any case. */
  readonly namespace: string | null;
  /** Without `urn:oid:`. */
  readonly oid: string | null;
  readonly uri: string | null;
  /** Sending facilities (MSH-4) whose numbers are this authority’s where they name none. */
  readonly facilities: readonly string[];
  /** Whose numbers are its where they name none: `listener:` and its id, `facility:` and MSH-4, `door:` and `rest`, `fhir` or `hl7v2`. */
  readonly isDefaultFor: readonly string[];
}

export interface Authority extends AuthorityForms {
  readonly id: string;
  readonly organizationId: string;
  /** null: of both; an authority that messages stated is that of their environment. */
  readonly environment: Environment | null;
  /** Systems that were settled to be it, too. */
  readonly further: readonly string[];
  /** The system by which its numbers are kept. Never changes. */
  readonly system: string;
  /** Whether an operator made it, or messages that stated a namespace with its OID. */
  readonly origin: 'operator' | 'messages';
  readonly createdAt: Date;
}

/** Two forms that came together, and of which nobody knows whether they are one. */
export interface AuthorityProposal {
  readonly id: string;
  readonly organizationId: string;
  readonly environment: Environment;
  /** Systems. */
  readonly one: string;
  readonly other: string;
  readonly why: ProposalReason;
  readonly since: Date;
}

/**
 * `together`: one was only seen beside the other. `disagrees`: one of them is another authority’s by the table or by earlier messages. `numbers`: too
 * many patients have numbers of both, or numbers of the two are different people’s.
 */
export const PROPOSAL_REASONS = ['together', 'disagrees', 'numbers'] as const;
export type ProposalReason = (typeof PROPOSAL_REASONS)[number];

/**
 * How bare numbers of a facility on a listener are read. `first`, `shared`: as the organization’s own; `own`: as the facility’s; `unsettled`: as the
 * facility’s, unless one is another’s number, too; `asked`: the same, and somebody has been asked.
 */
export const NUMBERING_STATES = ['first', 'shared', 'own', 'unsettled', 'asked'] as const;
export type NumberingState = (typeof NUMBERING_STATES)[number];

/** What bare numbers of a facility on a listener are. */
export interface FacilityNumbering {
  readonly sourceId: string;
  /** MSH-4; `*`: every one that has no other row. */
  readonly facility: string;
  readonly state: NumberingState;
}

/** What is known of the authorities of one tenant. */
export interface AuthorityKnowledge {
  readonly authorities: readonly Authority[];
  /** The system of each form, by its key (authority-forms). */
  readonly forms: readonly (readonly [key: string, system: string])[];
  readonly proposals: readonly { readonly one: string; readonly other: string; readonly isOpen: boolean }[];
  readonly numberings: readonly FacilityNumbering[];
}

/** Every system that an authority is called by; the one of its OID first, then its URI. */
export function systemsOf({
  namespace,
  oid,
  uri,
  further,
}: Pick<Authority, 'namespace' | 'oid' | 'uri' | 'further'>): string[] {
  return [
    ...(oid === null ? [] : [`urn:oid:${oid}`]),
    ...(uri === null ? [] : [uri]),
    ...(namespace === null ? [] : [namespaceSystem(namespace)]),
    ...further,
  ];
}
