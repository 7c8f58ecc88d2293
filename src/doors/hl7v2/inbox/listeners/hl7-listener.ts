import { z } from 'zod';
import type { Tenant } from '../../../../core/tenancy/tenant.js';
import { isTimeZone } from '../../../../platform/config/value-schemas.js';
import { plainText } from '../../../../platform/http/text.schema.js';
import { CODE_TARGETS } from '../../mapping/code-targets.js';
import type { MappedField } from '../../mapping/reading/mapped-fields.js';
import type { Hl7Source } from '../../mapping/reading/hl7-source.js';

const MOST_ENTRIES = 100;
/** Of a system of FHIR: a scheme, and no blank (RFC 3986, 3). */
const URI = /^[a-z][a-z0-9+.-]*:[^\s]+$/i;
const LONGEST_SILENCE_S = 7 * 24 * 60 * 60;
const LONGEST_NORMAL_SILENCE_MINUTES = 31 * 24 * 60;
const list = (max: number) => z.array(plainText(max)).max(MOST_ENTRIES);

const tlsFiles = z.strictObject({
  certFile: plainText(1024),
  keyFile: plainText(1024),
  /** Authorities that sign client certificates. */
  caFile: plainText(1024).optional(),
  clientCertificate: z.enum(['none', 'required']).default('none'),
  /** Common, DNS or URI names or addresses of accepted client certificates; empty: all that the authorities signed. */
  clientNames: list(255).default([]),
});
/** Names prove nothing where no certificate is asked for, or where any public authority may have signed it. */
const tls = tlsFiles.refine(
  ({ clientNames, clientCertificate, caFile }) =>
    clientNames.length === 0 || (clientCertificate === 'required' && caFile !== undefined),
  {
    error: 'must come with caFile and with clientCertificate: required',
    path: ['clientNames'],
  },
);

/** The sender's codes for one field, each read as one of ours. */
const codeMap = (field: MappedField) => {
  const known = CODE_TARGETS[field];
  return z
    .record(
      plainText(255),
      z.string().refine((code) => known.includes(code), { error: `must be one of ${known.join(', ')}` }),
    )
    .refine((map) => Object.keys(map).length <= MOST_ENTRIES, { error: `has at most ${MOST_ENTRIES} codes` })
    .default({});
};
const codeMaps = z.strictObject({
  'PID-8': codeMap('PID-8'),
  'OBR-4': codeMap('OBR-4'),
  'OBX-3': codeMap('OBX-3'),
  'OBX-11': codeMap('OBX-11'),
  'ORC-1': codeMap('ORC-1'),
  'PR1-3': codeMap('PR1-3'),
});

/** The settings of Hl7Source. */
const READING = {
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, { error: 'must be a time zone such as Europe/Berlin' })
    .default('UTC'),
  characterSet: plainText(40).nullable().default(null),
  processingIds: z
    .array(z.enum(['P', 'T', 'D']))
    .min(1)
    .max(3)
    .optional(),
  acknowledgment: z.enum(['auto', 'original', 'enhanced']).default('auto'),
  woundIdSystem: plainText(255).nullable().default(null),
  woundKey: z.enum(['optional', 'required']).default('optional'),
  woundNumberField: z.enum(['OBR-18', 'OBR-19']).nullable().default(null),
  accessionField: z.enum(['OBR-18', 'OBR-19']).nullable().default(null),
  accessionSystem: z.string().max(255).regex(URI, 'Must be a URI such as urn:oid:1.2.3.').nullable().default(null),
  autoAnalyze: z.boolean().default(false),
  analysisCodes: list(255).default([]),
  quotaPolicy: z.enum(['hold', 'reject']).default('hold'),
  typedOrderResponse: z.boolean().default(false),
  storeDemographics: z.boolean().default(true),
  unknownPatient: z.enum(['create', 'hold', 'reject']).default('create'),
  onConflict: z.enum(['hold', 'refuse']).default('hold'),
  reusedControlId: z.enum(['reject', 'process']).default('reject'),
  receivingApplications: list(255).default([]),
  senders: list(255).default([]),
  acceptedMessages: z
    .array(z.string().regex(/^[A-Z]{3}\^[A-Z]\d{2}$/, { error: 'must be a message such as ADT^A08' }))
    .max(MOST_ENTRIES)
    .default([]),
  patientAuthorities: list(255).default([]),
  lenientVersion: z.boolean().default(false),
  systems: z.record(plainText(255), plainText(255)).default({}),
  bareNumbers: z
    .record(plainText(255), z.string().max(255).regex(URI, 'Must be a URI such as urn:oid:1.2.3.'))
    .default({}),
  sexCodes: z.record(plainText(20).toUpperCase(), z.enum(['F', 'M', 'O', 'U', 'A', 'N'])).default({}),
  codes: codeMaps.prefault({}),
  nakUnparsable: z.boolean().default(false),
  returnDestinationId: z.uuid().nullable().default(null),
  deferredOnSameConnection: z.boolean().default(false),
};

/** The settings of the socket. */
const SERVING = {
  /** null: for POST /hl7v2 alone. 0: a free port. */
  port: z.int().min(0).max(65535).nullable(),
  /** null: HL7_HOST. */
  host: plainText(255).nullable().default(null),
  tls: tls.nullable().default(null),
  /** Networks of accepted peers; empty: any. */
  networks: z
    .array(z.union([z.cidrv4(), z.cidrv6()]))
    .max(MOST_ENTRIES)
    .default([]),
  maxConnections: z.int().min(1).max(1000).default(64),
  /** Seconds of silence after which a connection is closed, and those until its first message begins; 0: it stays. */
  idleTimeoutS: z.int().min(0).max(LONGEST_SILENCE_S).default(600),
  firstMessageTimeoutS: z.int().min(0).max(LONGEST_SILENCE_S).default(60),
  /** Whether POST /hl7v2 of this organization and environment is read by these settings. */
  http: z.boolean().default(false),
};

/** The settings of those who watch it. */
const WATCHING = {
  /** For how long it may have no message; null: nobody has said. */
  normalSilenceMinutes: z.int().min(1).max(LONGEST_NORMAL_SILENCE_MINUTES).nullable().default(null),
};

/** The settings of a listener. Only `port` is required. */
export const LISTENER_SETTINGS = z
  .strictObject({ ...SERVING, ...READING, ...WATCHING })
  .refine(({ accessionField, woundNumberField }) => accessionField === null || accessionField !== woundNumberField, {
    path: ['accessionField'],
    error: 'must be another field than that of the wound number',
  });
export type ListenerSettings = z.output<typeof LISTENER_SETTINGS>;
export type ListenerSettingsInput = z.input<typeof LISTENER_SETTINGS>;

/** A listener: whose messages arrive at which address, and how they are read. */
export interface Hl7Listener extends Tenant {
  readonly id: string;
  readonly name: string;
  /** False: paused. Its port is closed; POST /hl7v2 is still read by its settings. */
  readonly enabled: boolean;
  readonly settings: ListenerSettings;
  readonly createdAt: Date;
}

/** The settings of the socket: where they are the same, open connections outlast a change. */
export function servingOf({ settings }: Hl7Listener): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => key in SERVING && key !== 'http'));
}

/** The settings by which messages of a listener are read. */
export function sourceOf({ id, name, organizationId, environment, settings }: Hl7Listener): Hl7Source {
  const reading: unknown = Object.fromEntries(Object.entries(settings).filter(([key]) => key in READING));
  return {
    ...(reading as Omit<ListenerSettings, keyof typeof SERVING | keyof typeof WATCHING>),
    id,
    name,
    organizationId,
    environment,
    analysisCodes: [...settings.analysisCodes, ...Object.keys(settings.codes['OBR-4'])],
    sexCodes: { ...settings.sexCodes, ...sexesOf(settings.codes) },
    processingIds: settings.processingIds ?? defaultProcessingIds(environment),
  };
}

function sexesOf({ 'PID-8': codes }: ListenerSettings['codes']): Hl7Source['sexCodes'] {
  const known = Object.entries(codes).map(([sent, read]) => [sent.toUpperCase(), read]);
  return Object.fromEntries(known) as Hl7Source['sexCodes'];
}

/** Live environments accept P only, test environments T and D. */
function defaultProcessingIds(environment: Tenant['environment']): readonly ('P' | 'T' | 'D')[] {
  return environment === 'live' ? ['P'] : ['T', 'D'];
}
