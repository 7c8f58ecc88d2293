import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { EhrTerms } from '../../../core/ehrs/ehr.js';
import { EhrRegistry } from '../../../core/ehrs/ehr-registry.js';
import { PushCounts } from '../../../core/ehrs/push-counts.js';
import { TenancyService } from '../../../core/organizations/tenancy.service.js';
import { EhrTrial, PublishedKeys } from '../../../ehrs/index.js';
import { CliMisuse, type CliReport } from '../../../platform/cli/cli-command.js';
import { factReport } from '../../../platform/cli/command-report.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { onOrganization, onThing } from '../action/acts.js';
import { adminGroup } from '../action/admin-group.js';
import { list as listOf, moment } from '../action/answer-fields.js';
import { EHR_CHANGE, NEW_EHR } from './ehrs.schema.js';
import { EHR_EXAMPLE, EHR_TRIAL_EXAMPLE, EHR_TRIAL_VIEW, EHR_VIEW, toEhrView, type EhrView } from './ehrs.views.js';

const ONE = 'organizations/:organizationId/ehrs/:ehrId';
const PARTS_USAGE =
  '[--origins URL,…] [--patient-system URI] [--launch FILE] [--push FILE] [--cds FILE] [--frame-ancestors URL,…]';
const PARTS_SAY = 'FILE: the part in JSON, as the admin API takes it, so that no secret stands in a command line.';
const listed = (text: string): string[] =>
  text === 'none' ? [] : text.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
const READS = {
  origins: listed,
  frameAncestors: listed,
  patientSystem: (text: string) => (text === 'none' ? null : text),
  launch: readPart,
  push: readPart,
  cds: readPart,
};
const OPTIONS = { ehrId: 'id' };
/** Also where there was no second system: how many there were is not known any more. */
const BARE_NUMBERS =
  'Where a single patientSystem is left in its environment, numbers without an authority count as of that one now; to prevent it, state a default for the door REST ("authorities").';

const { action, group } = adminGroup({
  ehrs: EhrRegistry,
  trial: EhrTrial,
  keys: PublishedKeys,
  tenancy: TenancyService,
  counts: PushCounts,
  address: PublicAddress,
});

const create = action({
  name: 'createEhr',
  route: 'POST /organizations/:organizationId/ehrs',
  does: 'Register an EHR that opens the desk, takes results, or asks for cards',
  who: 'admin',
  body: NEW_EHR,
  example: {
    name: EHR_EXAMPLE.name,
    environment: 'live',
    fhirBaseUrl: EHR_EXAMPLE.fhirBaseUrl,
    patientSystem: EHR_EXAMPLE.patientSystem,
    launch: { clientId: 'sutura', people: 'review' },
  },
  status: 201,
  answers: EHR_VIEW,
  shows: EHR_EXAMPLE,
  refusals: ['organization.not_found', 'ehr.taken', 'ehr.too_many', 'ehr.address_refused'],
  async run({ ehrs, tenancy, address, operator }, { organizationId, environment: env, ...stated }) {
    await tenancy.findOrganization(organizationId);
    return toEhrView(await ehrs.create({ organizationId, environment: env }, stated, operator.rights), address.url);
  },
  trail: {
    after: (view, { organizationId: _of, ...stated }) => onThing('Endpoint', view, '$create-ehr', 'C', namesOf(stated)),
  },
  command: {
    usage: `ehr create --org ID --env test|live --name NAME --fhir-base-url URL ${PARTS_USAGE}`,
    says: `Register an EHR that opens the desk, takes results, or asks for cards. ${PARTS_SAY}`,
    reads: READS,
    prints: describe,
  },
});

const list = action({
  name: 'listEhrs',
  route: 'GET /organizations/:organizationId/ehrs',
  does: 'List the EHRs of an organization, without their secrets',
  who: 'viewer',
  lists: EHR_VIEW,
  shows: { ...EHR_EXAMPLE, deliveries: { waiting: 2, sent: 341, held: 1, parked: 0 } },
  refusals: ['organization.not_found'],
  async run({ ehrs, tenancy, address, counts }, { organizationId }) {
    await tenancy.findOrganization(organizationId);
    const found = await ehrs.list(organizationId);
    const deliveries = await counts.of(found.map(({ id }) => id));
    return found.map((ehr, place) => ({ ...toEhrView(ehr, address.url), deliveries: deliveries[place] }));
  },
  trail: 'none',
  command: {
    usage: 'ehr list --org ID',
    says: 'List the EHRs of an organization.',
    table: {
      EHR: ({ id }) => id,
      ENVIRONMENT: (view) => view.environment,
      NAME: ({ name }) => name,
      'FHIR BASE': ({ fhirBaseUrl }) => fhirBaseUrl,
      DOES: usesOf,
      HELD: ({ deliveries }) => String(deliveries?.held ?? 0),
      REDIRECT: ({ addresses }) => addresses.redirect,
      KEYS: ({ addresses }) => addresses.keys,
    },
  },
});

const change = action({
  name: 'changeEhr',
  route: `PATCH /${ONE}`,
  does: 'Change an EHR; an integrator changes its name and push, an admin all of it',
  who: 'integrator',
  body: EHR_CHANGE,
  example: { push: { enabled: true, when: 'reviewed' } },
  answers: EHR_VIEW,
  shows: { ...EHR_EXAMPLE, push: { ...EHR_EXAMPLE.push, when: 'reviewed' } },
  refusals: ['organization.not_found', 'ehr.not_found', 'ehr.taken', 'ehr.address_refused', 'ehr.filed'],
  async run({ ehrs, tenancy, address, operator }, { organizationId, ehrId, ...stated }) {
    await tenancy.findOrganization(organizationId);
    return toEhrView(await ehrs.change(organizationId, ehrId, stated, operator.rights), address.url);
  },
  trail: {
    after: (view, { organizationId: _of, ehrId: _id, ...stated }) =>
      onThing('Endpoint', view, '$change-ehr', 'U', namesOf(stated)),
  },
  command: {
    usage: `ehr set --org ID --id ID [--name NAME] [--fhir-base-url URL] ${PARTS_USAGE}`,
    says: `Change an EHR; "none" takes a part away. ${PARTS_SAY}`,
    options: OPTIONS,
    reads: READS,
    prints: describe,
  },
});

const test = action({
  name: 'testEhr',
  route: `POST /${ONE}/test`,
  does: 'Ask an EHR what it is and say what will not work; nothing of a patient is asked or sent',
  who: 'integrator',
  answers: EHR_TRIAL_VIEW,
  shows: EHR_TRIAL_EXAMPLE,
  refusals: ['organization.not_found', 'ehr.not_found'],
  async run({ ehrs, trial, tenancy }, { organizationId, ehrId }) {
    await tenancy.findOrganization(organizationId);
    return { id: ehrId, ...(await trial.run(await ehrs.find(organizationId, ehrId))) };
  },
  trail: {
    before: async ({ ehrs }, { organizationId, ehrId }) =>
      onThing('Endpoint', await ehrs.find(organizationId, ehrId), '$test-ehr', 'E'),
  },
  command: {
    usage: 'ehr test --org ID --id ID',
    says: 'Ask an EHR what it is and say what will not work. Nothing of a patient is asked or sent.',
    options: OPTIONS,
    prints: (view) => ({
      json: view,
      text: view.findings
        .map(({ isWell, isTried, says }) => `${isWell ? 'ok  ' : isTried ? 'NOT ' : 'not tried:'} ${says}`)
        .join('\n'),
    }),
  },
});

const remove = action({
  name: 'deleteEhr',
  route: `DELETE /${ONE}`,
  does: 'Remove an EHR: its launches, filed results and cards end',
  who: 'admin',
  refusals: ['organization.not_found', 'ehr.not_found'],
  async run({ ehrs, tenancy, address }, { organizationId, ehrId }) {
    await tenancy.findOrganization(organizationId);
    return toEhrView(await ehrs.remove(organizationId, ehrId), address.url);
  },
  trail: { after: (view) => onThing('Endpoint', view, '$delete-ehr', 'D') },
  command: {
    usage: 'ehr remove --org ID --id ID',
    says: 'Remove an EHR. Its launches, filed results and cards end.',
    options: OPTIONS,
    prints: (_, { ehrId }) => ({
      json: { id: ehrId, state: 'removed' },
      text: `EHR ${ehrId} is removed. ${BARE_NUMBERS}`,
    }),
  },
});

const PUBLISHED_KEYS_VIEW = z.object({
  keys: listOf(
    z.object({
      kid: z.string(),
      algorithm: z.enum(['ES384', 'RS384']),
      signsFrom: moment,
      signsUntil: moment.nullable().describe('null: until the next rotation.'),
    }),
  ).describe('As the address of the organization has them.'),
});
const KEY_EXAMPLE = {
  kid: '01997f2e-8888-7000-8000-000000000008',
  algorithm: 'ES384',
  signsFrom: '2026-03-15T08:40:05.000Z',
  signsUntil: null,
} as const;

const rotateKeys = action({
  name: 'rotatePublishedKeys',
  route: 'POST /organizations/:organizationId/published-keys/rotate',
  does: 'Make new keys by which EHRs know this organization; the old ones sign for an hour more, and stay published for a day after that',
  who: 'admin',
  body: z.strictObject({
    atOnce: z
      .boolean()
      .optional()
      .describe('The old keys sign no more and are not published any more, as where a private half got out.'),
  }),
  example: {},
  answers: PUBLISHED_KEYS_VIEW,
  shows: { keys: [KEY_EXAMPLE] },
  refusals: ['organization.not_found'],
  async run({ keys, tenancy }, { organizationId, atOnce = false }) {
    await tenancy.findOrganization(organizationId);
    const made = await keys.rotate(organizationId, atOnce);
    return {
      keys: made.map(({ kid, algorithm, signsFrom, signsUntil }) => ({
        kid,
        algorithm,
        signsFrom: signsFrom.toISOString(),
        signsUntil: signsUntil?.toISOString() ?? null,
      })),
    };
  },
  trail: {
    after: (_, { organizationId, atOnce = false }) =>
      onOrganization(organizationId, '$rotate-published-keys', 'U', `atOnce=${atOnce}`),
  },
  command: {
    usage: 'ehr rotate-keys --org ID [--at-once]',
    says: 'Make new keys by which EHRs know this organization. The old ones sign for an hour more and stay published for a day after that; --at-once ends them now, as where a private half got out.',
    prints: (view) => ({
      json: view,
      text:
        view.keys.length === 0
          ? 'It has no EHR, and so no keys: they are made with the first.'
          : view.keys.map(lineOf).join('\n'),
    }),
  },
});

/** The EHRs that organizations work with, and the keys by which EHRs know organizations. */
export const EHR_ACTIONS = group('EhrsController', [create, list, change, test, remove, rotateKeys]);

function lineOf({
  kid,
  algorithm,
  signsFrom,
  signsUntil,
}: z.output<typeof PUBLISHED_KEYS_VIEW>['keys'][number]): string {
  return `${algorithm}  ${kid}  signs from ${signsFrom}${signsUntil === null ? '' : ` until ${signsUntil}`}`;
}

/** The names of what is stated, parts within parts too: never a value, which may be a secret. */
function namesOf(stated: object): string {
  const names = Object.entries(stated as Partial<EhrTerms>).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.keys(value).map((inner) => `${name}.${inner}`)
      : value === undefined
        ? []
        : [value === null ? `${name}=none` : name],
  );
  return `fields=${names.join(',')}`;
}

function readPart(file: string): unknown {
  if (file === 'none') return null;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new CliMisuse(`A part is a file with JSON, or "none"; ${file} cannot be read as one.`);
  }
}

function usesOf({ launch, push, cds }: EhrView): string {
  const uses = [
    ...(launch === null ? [] : ['launch']),
    ...(push?.enabled === true ? [`push (${push.dialect})`] : []),
    ...(cds?.enabled === true ? ['cards'] : []),
  ];
  return uses.length === 0 ? 'nothing yet' : uses.join(', ');
}

function describe(view: EhrView): CliReport {
  return factReport(view, {
    ehr: view.id,
    environment: view.environment,
    name: view.name,
    'fhir base': view.fhirBaseUrl,
    origins: view.origins.join(', '),
    'patient system': view.patientSystem ?? 'none',
    does: usesOf(view),
    'redirect address': view.addresses.redirect,
    'keys (JWKS URL)': view.addresses.keys,
    ...(view.launch === null ? {} : { 'client id': view.launch.clientId, people: view.launch.people }),
  });
}
