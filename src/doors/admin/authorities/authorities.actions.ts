import { z } from 'zod';
import { isOid } from '../../../core/patients/authority-forms.js';
import { AUTHORITY_DOORS } from '../../../core/patients/authority.js';
import { AuthorityService } from '../../../core/patients/authorities.service.js';
import { identifierFault } from '../../../core/patients/identifier-text.js';
import type { JoinActor } from '../../../core/patients/joined-authorities.js';
import { TenancyService } from '../../../core/organizations/tenancy.service.js';
import type { Operator } from '../../../core/tenancy/operator.js';
import { factReport } from '../../../platform/cli/command-report.js';
import type { CliReport } from '../../../platform/cli/cli-command.js';
import { plainText } from '../../../platform/http/text.schema.js';
import { onOrganization } from '../action/acts.js';
import { adminGroup } from '../action/admin-group.js';
import {
  AUTHORITY_EXAMPLE,
  AUTHORITY_VIEW,
  PROPOSAL_EXAMPLE,
  PROPOSAL_VIEW,
  toAuthorityView,
  toProposalView,
  type AuthorityView,
} from './authorities.views.js';

const LONGEST = 255;
const MOST_PLACES = 200;
const URI = /^(?!urn:(?:oid|uuid):)[a-z][a-z0-9+.-]*:[^\s|]+$/i;
const DEFAULT_FOR = new RegExp(
  `^(?:listener:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|facility:.{1,${LONGEST}}|door:(?:${AUTHORITY_DOORS.join('|')}))$`,
);

/** A person can tell it from another one. */
const readable = () =>
  plainText(LONGEST).refine((text) => identifierFault(text) === null, {
    error: 'must be one text without unseen characters or blanks around it',
  });
const FORMS = z.strictObject({
  name: plainText(LONGEST).nullable().optional().describe('For people'),
  namespace: readable().nullable().optional().describe('HL7 namespace (HD-1), in any case'),
  oid: z
    .string()
    .max(LONGEST)
    .transform((text) => text.replace(/^urn:oid:/i, ''))
    .refine(isOid, { error: 'must be an OID such as 1.2.3, without leading zeros' })
    .nullable()
    .optional(),
  uri: readable()
    .refine((text) => URI.test(text), { error: 'must be a URI such as https://hospital.example/mrn; an OID is oid' })
    .nullable()
    .optional(),
  facilities: z
    .array(readable())
    .max(MOST_PLACES)
    .optional()
    .describe('MSH-4 of senders whose numbers are its where they name no authority'),
  isDefaultFor: z
    .array(z.string().regex(DEFAULT_FOR, { error: 'must be listener:ID, facility:MSH-4, or door:rest, fhir, hl7v2' }))
    .max(MOST_PLACES)
    .optional()
    .describe('Whose numbers are its where they name no authority'),
});
const USAGE = '[--name TEXT] [--namespace HD1] [--oid OID] [--uri URI] [--facilities MSH4,…] [--default-for PLACE,…]';
const PLACES = 'PLACE: listener:ID, facility:MSH-4, door:rest, door:fhir or door:hl7v2.';
const LISTED = (text: string): string[] =>
  text === 'none' ? [] : text.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
const NULLABLE = (text: string): string | null => (text === 'none' ? null : text);
const READS = {
  name: NULLABLE,
  namespace: NULLABLE,
  oid: NULLABLE,
  uri: NULLABLE,
  facilities: LISTED,
  isDefaultFor: LISTED,
};
const OPTIONS = { isDefaultFor: 'default-for', authorityId: 'id' };

const { action, group } = adminGroup({ authorities: AuthorityService, tenancy: TenancyService });

const list = action({
  name: 'listAuthorities',
  route: 'GET /organizations/:organizationId/authorities',
  does: 'List who assigns numbers of patients and orders, with every form of the name',
  who: 'viewer',
  lists: AUTHORITY_VIEW,
  shows: AUTHORITY_EXAMPLE,
  refusals: ['organization.not_found'],
  run: async ({ authorities, tenancy }, { organizationId }) => {
    await tenancy.findOrganization(organizationId);
    return (await authorities.list(organizationId)).map(toAuthorityView);
  },
  trail: { after: (_, { organizationId }) => onOrganization(organizationId, '$list-authorities', 'R') },
  command: {
    usage: 'authorities list --org ID',
    says: 'List who assigns numbers of patients and orders, with every form of the name.',
    table: {
      AUTHORITY: ({ id }) => id,
      NAME: ({ name }) => name,
      SYSTEMS: ({ systems }) => systems.join(' '),
      'NUMBERS WITHOUT AN AUTHORITY': ({ facilities, isDefaultFor }) =>
        [...facilities.map((facility) => `facility:${facility}`), ...isDefaultFor].join(' '),
      FROM: ({ origin, environment }) => (environment === null ? origin : `${origin}, ${environment}`),
    },
  },
});

const create = action({
  name: 'createAuthority',
  route: 'POST /organizations/:organizationId/authorities',
  does: 'Say that several forms are one authority. Records that have one number by two of them are joined, unless birth date or given names speak against it',
  who: 'integrator',
  body: FORMS,
  example: { name: 'Northern house', namespace: 'NORTH', oid: '2.999.1', facilities: ['NORTH'] },
  status: 201,
  answers: AUTHORITY_VIEW,
  shows: AUTHORITY_EXAMPLE,
  refusals: ['organization.not_found', 'authority.taken'],
  run: async ({ authorities, tenancy, operator }, { organizationId, ...forms }) => {
    await tenancy.findOrganization(organizationId);
    return toAuthorityView(await authorities.create(organizationId, forms, actorOf(operator)));
  },
  trail: {
    after: ({ id }, { organizationId }) => onOrganization(organizationId, '$create-authority', 'C', `authority=${id}`),
  },
  command: {
    usage: `authorities add --org ID ${USAGE}`,
    says: `Say that several forms are one authority. ${PLACES}`,
    options: OPTIONS,
    reads: READS,
    prints: describe,
  },
});

const change = action({
  name: 'changeAuthority',
  route: 'PATCH /organizations/:organizationId/authorities/:authorityId',
  does: 'Change the forms of an authority; null, or an empty list, takes one away. Numbers that are kept stay',
  who: 'integrator',
  body: FORMS,
  example: { uri: 'https://north.example/mrn' },
  answers: AUTHORITY_VIEW,
  shows: AUTHORITY_EXAMPLE,
  refusals: ['organization.not_found', 'authority.not_found', 'authority.taken'],
  run: async ({ authorities, tenancy, operator }, { organizationId, authorityId, ...forms }) => {
    await tenancy.findOrganization(organizationId);
    return toAuthorityView(await authorities.change(organizationId, authorityId, forms, actorOf(operator)));
  },
  trail: {
    after: ({ id }, { organizationId, authorityId: _id, ...forms }) =>
      onOrganization(
        organizationId,
        '$change-authority',
        'U',
        `authority=${id}&fields=${Object.keys(forms).join(',')}`,
      ),
  },
  command: {
    usage: `authorities set --org ID --id ID ${USAGE}`,
    says: `Change the forms of an authority; "none" takes one away. ${PLACES}`,
    options: OPTIONS,
    reads: READS,
    prints: describe,
  },
});

const remove = action({
  name: 'deleteAuthority',
  route: 'DELETE /organizations/:organizationId/authorities/:authorityId',
  does: 'Forget that its forms are one. Numbers and joined records stay; messages that state a namespace with its OID teach it again',
  who: 'integrator',
  refusals: ['organization.not_found', 'authority.not_found'],
  run: async ({ authorities, tenancy }, { organizationId, authorityId }) => {
    await tenancy.findOrganization(organizationId);
    return toAuthorityView(await authorities.remove(organizationId, authorityId));
  },
  trail: {
    after: ({ id }, { organizationId }) => onOrganization(organizationId, '$delete-authority', 'D', `authority=${id}`),
  },
  command: {
    usage: 'authorities remove --org ID --id ID',
    options: OPTIONS,
    says: 'Forget that the forms of an authority are one. Numbers and joined records stay.',
    prints: (_, { authorityId }) => ({
      json: { authorityId, state: 'removed' },
      text: `Authority ${authorityId} is forgotten.`,
    }),
  },
});

const proposals = action({
  name: 'listAuthorityProposals',
  route: 'GET /organizations/:organizationId/authority-proposals',
  does: 'List pairs of systems that came together, and of which nobody has said whether they are one authority, oldest first',
  who: 'viewer',
  lists: PROPOSAL_VIEW,
  shows: PROPOSAL_EXAMPLE,
  refusals: ['organization.not_found'],
  run: async ({ authorities, tenancy }, { organizationId }) => {
    await tenancy.findOrganization(organizationId);
    return (await authorities.proposals(organizationId)).map(toProposalView);
  },
  trail: { after: (_, { organizationId }) => onOrganization(organizationId, '$list-authority-proposals', 'R') },
  command: {
    usage: 'authorities proposals --org ID',
    says: 'List pairs of systems that came together, and of which nobody has said whether they are one authority.',
    table: {
      PROPOSAL: ({ id }) => id,
      ENV: ({ environment }) => environment,
      ONE: ({ one }) => one,
      OTHER: ({ other }) => other,
      WHY: ({ why }) => why,
      SINCE: ({ since }) => since,
    },
  },
});

const settle = action({
  name: 'settleAuthorityProposal',
  route: 'POST /organizations/:organizationId/authority-proposals/:proposalId/settle',
  does: 'Say whether two systems are one authority. Once they are the same, records that have one number by both are joined, unless birth date or given names speak against it',
  who: 'integrator',
  body: z.strictObject({ answer: z.enum(['same', 'different']) }),
  example: { answer: 'same' },
  answers: PROPOSAL_VIEW,
  shows: PROPOSAL_EXAMPLE,
  refusals: ['organization.not_found', 'authority.not_found', 'authority.taken'],
  run: async ({ authorities, tenancy, operator }, { organizationId, proposalId, answer }) => {
    await tenancy.findOrganization(organizationId);
    return toProposalView(await authorities.settle(organizationId, proposalId, answer, actorOf(operator)));
  },
  trail: {
    after: ({ id }, { organizationId, answer }) =>
      onOrganization(organizationId, '$settle-authority', 'U', `proposal=${id}&answer=${answer}`),
  },
  command: {
    usage: 'authorities settle --org ID --id ID --answer same|different',
    options: { proposalId: 'id' },
    says: 'Say whether the two systems of a proposal are one authority.',
    prints: (proposal, { answer }) => ({
      json: proposal,
      text: `${proposal.one} and ${proposal.other} are ${answer === 'same' ? 'one authority' : 'two authorities'} from now on.`,
    }),
  },
});

/** Who assigns numbers. */
export const AUTHORITY_ACTIONS = group('AuthoritiesController', [list, create, change, remove, proposals, settle]);

function actorOf({ door, name }: Operator): JoinActor {
  return { door, name };
}

function describe(view: AuthorityView): CliReport {
  return factReport(view, {
    authority: view.id,
    ...(view.name === null ? {} : { name: view.name }),
    systems: view.systems.join(' '),
    'facilities without an authority': view.facilities.join(', '),
    'default for': view.isDefaultFor.join(', '),
  });
}
