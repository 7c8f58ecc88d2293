import { z } from 'zod';
import {
  PROPOSAL_REASONS,
  systemsOf,
  type Authority,
  type AuthorityProposal,
} from '../../../core/patients/authority.js';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';
import { ADMIN_EXAMPLE_IDS } from '../../../identity/index.js';
import { id, list, moment } from '../action/answer-fields.js';

export const AUTHORITY_VIEW = z.object({
  id,
  organizationId: id,
  environment: z.enum(ENVIRONMENTS).nullable().describe('null: of both; what messages stated counts where they came.'),
  name: z.string().nullable(),
  namespace: z.string().nullable(),
  oid: z.string().nullable(),
  uri: z.string().nullable(),
  facilities: list(z.string()).describe('MSH-4 of senders whose numbers are its where they name no authority.'),
  isDefaultFor: list(z.string()).describe(
    'listener:ID, facility:MSH-4 or door:rest, fhir, hl7v2, whose numbers are its where they name no authority.',
  ),
  systems: list(z.string()).describe(
    'Every system that is read as this authority, the one that numbers are kept by first.',
  ),
  origin: z.enum(['operator', 'messages']).describe('messages: they stated a namespace with its OID.'),
  createdAt: moment,
});
export type AuthorityView = z.output<typeof AUTHORITY_VIEW>;

export const PROPOSAL_VIEW = z.object({
  id,
  organizationId: id,
  environment: z.enum(ENVIRONMENTS),
  one: z.string().describe('A system.'),
  other: z.string().describe('A system.'),
  why: z
    .enum(PROPOSAL_REASONS)
    .describe(
      'together: they only came together; disagrees: one is of another authority; numbers: many numbers, or those of different people, are of both.',
    ),
  since: moment,
});
export type ProposalView = z.output<typeof PROPOSAL_VIEW>;

export function toAuthorityView(authority: Authority): AuthorityView {
  const { further: _further, system, createdAt, facilities, isDefaultFor, ...rest } = authority;
  return {
    ...rest,
    facilities: [...facilities],
    isDefaultFor: [...isDefaultFor],
    systems: [...new Set([system, ...systemsOf(authority)])],
    createdAt: createdAt.toISOString(),
  };
}

export function toProposalView({ since, ...rest }: AuthorityProposal): ProposalView {
  return { ...rest, since: since.toISOString() };
}

/** Plainly invented, for the OpenAPI document. */
export const AUTHORITY_EXAMPLE: AuthorityView = {
  id: '01997f2e-9999-7000-8000-000000000001',
  organizationId: ADMIN_EXAMPLE_IDS.organizationId,
  environment: null,
  name: 'Northern house',
  namespace: 'NORTH',
  oid: '2.999.1',
  uri: null,
  facilities: ['NORTH'],
  isDefaultFor: ['door:rest'],
  systems: ['urn:oid:2.999.1', 'https://sutura.dev/fhir/sid/hl7v2-authority/NORTH'],
  origin: 'operator',
  createdAt: '2026-03-15T08:40:05.000Z',
};

export const PROPOSAL_EXAMPLE: ProposalView = {
  id: '01997f2e-9999-7000-8000-000000000002',
  organizationId: ADMIN_EXAMPLE_IDS.organizationId,
  environment: 'live',
  one: 'https://sutura.dev/fhir/sid/hl7v2-authority/NORTH',
  other: 'https://north.example/mrn',
  why: 'together',
  since: '2026-03-15T08:40:05.000Z',
};
