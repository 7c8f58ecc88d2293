import { z } from 'zod';
import {
  EHR_CLIENT_TYPES,
  EHR_DIALECTS,
  EHR_PEOPLE,
  ENCOUNTER_RULES,
  PUSH_AUTHS,
  PUSH_CONTENTS,
  PUSH_MOMENTS,
  type Ehr,
} from '../../../core/ehrs/ehr.js';
import { LANGUAGES } from '../../../core/report/languages.js';
import { EHR_FINDINGS, ownAddresses } from '../../../ehrs/index.js';
import { ADMIN_EXAMPLE_IDS } from '../../../identity/index.js';
import { id, list, moment, owner } from '../action/answer-fields.js';

const code = z.object({ system: z.string(), code: z.string(), unit: z.string().optional() });

/** Without its secrets: those are known by that they are there. */
export const EHR_VIEW = z.object({
  id,
  ...owner,
  name: z.string(),
  fhirBaseUrl: z.string(),
  origins: list(z.string()),
  patientSystem: z.string().nullable(),
  launch: z
    .object({
      clientId: z.string(),
      hasClientSecret: z.boolean(),
      clientType: z.enum(EHR_CLIENT_TYPES),
      scopes: list(z.string()).nullable(),
      people: z.enum(EHR_PEOPLE),
    })
    .nullable(),
  push: z
    .object({
      enabled: z.boolean(),
      dialect: z.enum(EHR_DIALECTS),
      auth: z.enum(PUSH_AUTHS),
      hasToken: z.boolean(),
      clientId: z.string().nullable(),
      scopes: list(z.string()).nullable(),
      send: list(z.enum(PUSH_CONTENTS)),
      when: z.enum(PUSH_MOMENTS),
      encounterRule: z.enum(ENCOUNTER_RULES),
      codes: z.record(z.string(), code).nullable(),
    })
    .nullable(),
  cds: z
    .object({
      enabled: z.boolean(),
      issuer: z.string(),
      jwksUrl: z.string(),
      language: z.enum(LANGUAGES),
    })
    .nullable(),
  frameAncestors: list(z.string()),
  addresses: z
    .object({
      launch: z.string().describe('What the EHR opens from a chart.'),
      redirect: z
        .string()
        .describe('Where its authorization server sends the browser back: of this registration alone.'),
      keys: z.string().describe('Our public keys, which are those of this organization (JWKS URL).'),
      cards: z.string().describe('Where its CDS Hooks are.'),
    })
    .describe('What to enter at the EHR, to the character.'),
  deliveries: z
    .object({
      waiting: z.int(),
      sent: z.int(),
      held: z.int().describe('They need a person: "deliveries list" says why.'),
      parked: z.int().describe('By a person.'),
    })
    .optional()
    .describe('Results for it, by state; in lists alone.'),
  createdAt: moment,
  updatedAt: moment,
});
export type EhrView = z.output<typeof EHR_VIEW>;

export const EHR_TRIAL_VIEW = z.object({
  id,
  findings: list(
    z.object({
      about: z.enum(EHR_FINDINGS).describe('What was asked.'),
      isWell: z.boolean().describe('false: something will not work until it is mended, or was not tried.'),
      isTried: z.boolean().describe('false: it cannot be tried from here; look at it yourself.'),
      says: z.string().describe('For people.'),
    }),
  ),
  fhirVersion: z.string().nullable().describe('Of its CapabilityStatement; null: it was not read.'),
  creates: list(z.string()).describe('The types of resources that its FHIR server says it can create.'),
});
export type EhrTrialView = z.output<typeof EHR_TRIAL_VIEW>;

/** `publicUrl`: of this service. */
export function toEhrView(
  { launch, push, cds, origins, frameAncestors, createdAt, updatedAt, ...ehr }: Ehr,
  publicUrl: string,
): EhrView {
  return {
    ...ehr,
    origins: [...origins],
    launch: launch === null ? null : launchView(launch),
    push: push === null ? null : pushView(push),
    cds: cds === null ? null : { ...cds },
    frameAncestors: [...frameAncestors],
    addresses: { ...ownAddresses(publicUrl, ehr) },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

function launchView({ clientSecret, ...launch }: NonNullable<Ehr['launch']>): EhrView['launch'] {
  return { ...launch, hasClientSecret: clientSecret !== null };
}

function pushView({ token, codes, ...push }: NonNullable<Ehr['push']>): EhrView['push'] {
  return { ...push, codes: codes === null ? null : { ...codes }, hasToken: token !== null };
}

/** Plainly invented, for the OpenAPI document. */
export const EHR_EXAMPLE: EhrView = {
  id: '01997f2e-7777-7000-8000-000000000007',
  organizationId: ADMIN_EXAMPLE_IDS.organizationId,
  environment: 'live',
  name: 'Hospital North, EHR',
  fhirBaseUrl: 'https://ehr.example.org/fhir/r4',
  origins: ['https://login.example.org'],
  patientSystem: 'https://hospital.example/mrn',
  launch: { clientId: 'sutura', hasClientSecret: false, clientType: 'asymmetric', scopes: null, people: 'review' },
  push: {
    enabled: true,
    dialect: 'us-core-note',
    auth: 'backend-services',
    hasToken: false,
    clientId: 'sutura-backend',
    scopes: null,
    send: ['pdf', 'observations'],
    when: 'final',
    encounterRule: 'period',
    codes: null,
  },
  cds: {
    enabled: true,
    issuer: 'https://ehr.example.org/cds',
    jwksUrl: 'https://ehr.example.org/cds/jwks.json',
    language: 'en',
  },
  frameAncestors: ['https://ehr.example.org'],
  addresses: ownAddresses('https://sutura.example.org', {
    id: '01997f2e-7777-7000-8000-000000000007',
    organizationId: ADMIN_EXAMPLE_IDS.organizationId,
  }),
  createdAt: '2026-03-15T08:40:05.000Z',
  updatedAt: '2026-03-15T08:40:05.000Z',
};

export const EHR_TRIAL_EXAMPLE: EhrTrialView = {
  id: EHR_EXAMPLE.id,
  findings: [
    { about: 'metadata', isWell: true, isTried: true, says: 'The FHIR server answers: FHIR 4.0.1, Example EHR 2026.' },
    {
      about: 'smart-configuration',
      isWell: true,
      isTried: true,
      says: 'It says where to authorize and where tokens come from.',
    },
    {
      about: 'push',
      isWell: false,
      isTried: true,
      says: 'The FHIR server does not create DiagnosticReport, which the dialect files.',
    },
  ],
  fhirVersion: '4.0.1',
  creates: ['DocumentReference', 'Observation'],
};
