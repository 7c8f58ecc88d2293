import { z } from 'zod';
import {
  EHR_CLIENT_TYPES,
  EHR_DIALECTS,
  EHR_PEOPLE,
  ENCOUNTER_RULES,
  PUSH_AUTHS,
  PUSH_CONTENTS,
  PUSH_MOMENTS,
} from '../../../core/ehrs/ehr.js';
import { LANGUAGES } from '../../../core/report/languages.js';
import { ENVIRONMENTS } from '../../../core/tenancy/tenant.js';
import { plainText, uriText } from '../../../platform/http/text.schema.js';

const LONGEST_URL = 2000;
const LONGEST_SECRET = 4096;
const MOST_ORIGINS = 20;
const MOST_SCOPES = 50;
const MOST_CODES = 100;
/** RFC 6749 3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/;

const address = plainText(LONGEST_URL);
const origins = z.array(address).max(MOST_ORIGINS);
const clientId = plainText(255);
const secret = z
  .string()
  .regex(/^[\x20-\x7e]+$/, { error: 'must be printable ASCII characters' })
  .max(LONGEST_SECRET)
  .meta({ writeOnly: true });
const scopes = z
  .array(z.string().regex(SCOPE, { error: 'must be a scope, such as patient/Patient.r' }))
  .min(1)
  .max(MOST_SCOPES);

const launch = z
  .strictObject({
    clientId: clientId.optional().describe('By which the EHR knows this service.'),
    clientSecret: secret.nullable().optional().describe('Of a symmetric client. Never shown again.'),
    clientType: z
      .enum(EHR_CLIENT_TYPES)
      .optional()
      .describe('asymmetric, the default: it signs with the keys of addresses.keys.'),
    scopes: scopes.nullable().optional().describe('null, the default: those that the desk needs.'),
    people: z.enum(EHR_PEOPLE).optional().describe('What people from this EHR may do at the desk; read by default.'),
  })
  .meta({ description: 'How the EHR opens the review desk.' });

const code = z.strictObject({ system: uriText(), code: plainText(255), unit: plainText(64).optional() });

const push = z
  .strictObject({
    enabled: z.boolean().optional().describe('false by default.'),
    dialect: z.enum(EHR_DIALECTS).optional().describe('How this EHR takes documents; transaction by default.'),
    auth: z.enum(PUSH_AUTHS).optional().describe('none by default.'),
    token: secret.nullable().optional().describe('Of bearer. Never shown again.'),
    clientId: clientId.nullable().optional().describe('Of backend-services; null, the default: that of the launch.'),
    scopes: scopes.nullable().optional().describe('null, the default: those that the dialect needs.'),
    send: z
      .array(z.enum(PUSH_CONTENTS))
      .max(PUSH_CONTENTS.length)
      .optional()
      .describe('pdf and observations by default.'),
    when: z
      .enum(PUSH_MOMENTS)
      .optional()
      .describe('final, the default: reports that stand; reviewed: those that a person decided on.'),
    encounterRule: z.enum(ENCOUNTER_RULES).optional().describe('How the encounter is found; none by default.'),
    codes: z
      .record(plainText(64), code)
      .refine((codes) => Object.keys(codes).length <= MOST_CODES, { error: `must be at most ${MOST_CODES}` })
      .nullable()
      .optional()
      .describe('The code of this EHR for a measure, by the name of the measure; null, the default: our own codes.'),
  })
  .meta({ description: 'How results are filed at the FHIR server of the EHR.' });

const cds = z
  .strictObject({
    enabled: z.boolean().optional().describe('false by default.'),
    issuer: address.optional().describe('iss of the tokens of its calls, to the character.'),
    jwksUrl: address
      .optional()
      .describe('Where its public keys are: of the origin of fhirBaseUrl, or of one in origins.'),
    language: z.enum(LANGUAGES).optional().describe('Of its cards; en by default.'),
  })
  .meta({ description: 'How the EHR asks whether there is something to say (CDS Hooks).' });

const FIELDS = {
  name: plainText(255).optional(),
  fhirBaseUrl: address.optional().describe('Base of its FHIR R4 server, which is the iss of its launches.'),
  origins: origins
    .optional()
    .describe(
      'Further origins of this EHR, such as https://login.hospital.example: of its authorization, tokens and keys.',
    ),
  patientSystem: uriText()
    .nullable()
    .optional()
    .describe('The system of its Patient.identifier by which its patients are ours.'),
  launch: launch.nullable().optional().describe('null takes it away.'),
  push: push.nullable().optional().describe('null takes it away.'),
  cds: cds.nullable().optional().describe('null takes it away.'),
  frameAncestors: origins.optional().describe('Origins whose pages may show the desk of a launch in a frame.'),
};

export const NEW_EHR = z
  .strictObject({ ...FIELDS, name: plainText(255), fhirBaseUrl: address, environment: z.enum(ENVIRONMENTS) })
  .meta({ description: 'An EHR that an organization works with.' });

export const EHR_CHANGE = z
  .strictObject(FIELDS)
  .refine((change) => Object.keys(change).length > 0, { error: 'must change something' })
  .meta({
    description: 'Changes of an EHR; what is not named stays, within launch, push and cds too.',
  });
