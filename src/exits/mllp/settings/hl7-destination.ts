import { z } from 'zod';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { isTimeZone } from '../../../platform/config/value-schemas.js';
import { LANGUAGES } from '../../../reports/index.js';
import { rowCodes, unitCodes } from './local-codes.js';

/** The doors that an order, or a photo without one, may come through. */
export const DOORS = ['rest', 'fhir', 'hl7v2'] as const;

/** HL7 versions of results. */
export const OUTBOUND_VERSIONS = [
  '2.3',
  '2.3.1',
  '2.4',
  '2.5',
  '2.5.1',
  '2.6',
  '2.7',
  '2.7.1',
  '2.8',
  '2.8.1',
  '2.8.2',
] as const;

/** Character sets of results, named as in MSH-18. */
export const OUTBOUND_CHARACTER_SETS = ['UNICODE UTF-8', '8859/1', 'ASCII'] as const;

const MIB = 1024 * 1024;

/** A name in MSH and EI, without characters that could end a field. */
const name = z
  .string()
  .max(180)
  .regex(/^[^|^~\\&\p{Cc}]*$/u, 'must be free of delimiters and control characters');
/** Raw components of an HD: `HOSP&1.2.3&ISO`. */
const authority = z
  .string()
  .max(250)
  .regex(/^[^|^~\\\p{Cc}]+$/u, 'must be written as namespace&universal id&type');
const seconds = (least: number, most: number, fallback: number) =>
  z
    .number()
    .int()
    .min(least * 1000)
    .max(most * 1000)
    .default(fallback * 1000);

const timeZone = z.string().refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin');

/** Files on the gateway's machine, read when the connection is made. */
const tls = z.strictObject({
  caFile: z.string().min(1).optional().describe('Authorities to trust, PEM; default: those of the system'),
  certFile: z.string().min(1).optional().describe('Own certificate, PEM'),
  keyFile: z.string().min(1).optional().describe('Its key, PEM'),
  serverName: z.string().min(1).optional().describe('Name that the peer’s certificate must bear; default: host'),
});

/** `code^text^coding system` of the receiver. */
const codedValue = z
  .string()
  .max(250)
  .regex(/^[^|^~\\&\p{Cc}]+(?:\^[^|^~\\&\p{Cc}]*){0,2}$/u, 'must be written as code^text^coding system');
const knownKeys = (known: readonly string[]) =>
  z.record(
    z.string().refine((key) => known.includes(key), { error: `must be one of ${known.join(', ')}` }),
    codedValue,
  );

/** The receiver's own codes, by ours, which become the alternates. */
const codes = z.strictObject({
  observations: knownKeys(rowCodes()).default({}).describe('OBX-3'),
  units: knownKeys(unitCodes()).default({}).describe('OBX-6, by UCUM code'),
  services: z
    .record(z.string().min(1).max(255), codedValue)
    .default({})
    .describe('OBR-4, by the code of the order, or 39135-9; LOINC becomes the alternate'),
  sites: z
    .record(z.string().min(1).max(255), codedValue)
    .default({})
    .describe('OBX-5 of wound-site, and OBX-20; by the code of the site, or by its words where it has none'),
});

/** Raw components of a field. */
const constant = z
  .string()
  .min(1)
  .max(250)
  .regex(/^[^|~\\\p{Cc}]+$/u, 'must be components of one repetition, such as 4711^Ward^Nurse');
/** What a receiver wants in a field whatever the result. */
const constants = z.strictObject({
  'OBR-4': codedValue.optional().describe('For every order; codes.services is for single ones'),
  'OBR-16': constant.optional().describe('In place of who ordered it'),
  'OBR-24': z
    .string()
    .regex(/^[A-Z0-9]{1,10}$/, 'must be a code of table 0074')
    .optional()
    .describe('In place of NRS'),
  'OBX-15': constant.optional(),
  'OBX-23': constant.optional().describe('From 2.5.1 on'),
});

/** The results that a destination takes: any value of each list, and of an empty list all. */
const routes = z.strictObject({
  sources: z
    .array(z.union([z.enum(DOORS), z.uuid()]))
    .max(100)
    .default([])
    .describe('Doors of the order (rest, fhir, hl7v2), or listeners by their id'),
  facilities: z.array(name.min(1)).max(100).default([]).describe('MSH-4 of the order'),
  authorities: z
    .array(z.string().min(1).max(255))
    .max(100)
    .default([])
    .describe('Assigning authorities of the patient: namespace, universal id, or URI'),
  statuses: z
    .array(z.enum(['preliminary', 'final']))
    .max(2)
    .default([])
    .describe('preliminary, or final with its corrections. What was told is always taken back'),
});
export type Routes = z.output<typeof routes>;
export type LocalCodes = z.output<typeof codes>;
export type Constants = z.output<typeof constants>;

/**
 * The settings of a destination, stored as JSON; defaults are filled in on reading. docs/conformance/hl7v2.md explains
 * them.
 */
export const DESTINATION_SETTINGS = z.strictObject({
  host: z
    .string()
    .min(1)
    .max(253)
    .describe(
      'Where results are sent to: a name or an address, inside or outside; never link-local addresses, agents of cloud machines, or addresses of no single host',
    ),
  port: z.number().int().min(1).max(65535).describe('TCP port of the receiver'),
  tls: tls.nullable().default(null).describe('null: plain TCP'),

  sendingApplication: name.default('SUTURA').describe('MSH-3'),
  sendingFacility: name.default('SUTURA').describe('MSH-4'),
  receivingApplication: name.default('').describe('MSH-5'),
  receivingFacility: name.default('').describe('MSH-6'),
  version: z.enum(OUTBOUND_VERSIONS).default('2.5.1').describe('MSH-12, and the layout that goes with it'),
  characterSet: z
    .enum(OUTBOUND_CHARACTER_SETS)
    .default('UNICODE UTF-8')
    .describe('MSH-18, and the bytes; what a set cannot say becomes ?'),
  processingId: z.enum(['P', 'T', 'D']).optional().describe('MSH-11; default P for live, T for test'),
  ackMode: z
    .enum(['enhanced', 'original'])
    .default('enhanced')
    .describe('enhanced: MSH-15 AL, MSH-16 NE; original: both empty'),
  country: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional()
    .describe('MSH-17, ISO 3166'),
  language: z.enum(LANGUAGES).default('en').describe('Of the conclusion and of the PDF; MSH-19'),
  timeZone: timeZone.default('UTC').describe('Zone that times are written in; the offset is always stated'),

  ordering: z
    .enum(['strict', 'perPatient'])
    .default('perPatient')
    .describe('perPatient: a message waits for those of its patient and of its report; strict: for all before it'),
  grouping: z
    .enum(['order', 'photo'])
    .default('order')
    .describe(
      'order: the photos of an order in one message, an OBR for each, once none of them is being analysed; photo: a message for each photo',
    ),
  stopOnError: z.boolean().default(false).describe('A parked message stops what would come after it'),
  collapse: z
    .boolean()
    .default(false)
    .describe('A preliminary result that was never sent is left out once the final one is there'),
  resendOnMerge: z
    .boolean()
    .default(false)
    .describe('Results are sent anew where nothing but their patient was joined into another (ADT^A40)'),
  ackTimeoutMs: seconds(0.05, 600, 30).describe('Longest wait for an acknowledgment'),

  pdf: z
    .enum(['ed', 'rp', 'none'])
    .default('ed')
    .describe('The report as a document: inside the message, by its address, or not at all'),
  pdfType: z.enum(['AP^PDF', 'Application^pdf']).default('AP^PDF').describe('ED-2 and ED-3 of the document'),
  photo: z
    .enum(['none', 'rp', 'ed'])
    .default('none')
    .describe('The photo: not at all, by its address, or inside the message'),
  maxBytes: z
    .number()
    .int()
    .min(8192)
    .max(200 * MIB)
    .default(20 * MIB)
    .describe('Larger messages name documents by their address instead'),
  intervals: z.boolean().default(true).describe('Rows for the interval that each measure lies in'),
  orderCode: z
    .enum(['placer', 'loinc'])
    .default('placer')
    .describe('OBR-4: the placer’s own code with LOINC as the alternate, or LOINC alone'),
  wrongPatient: z.enum(['W', 'D']).default('W').describe('OBX-11 of a result that was of another patient'),
  routes: routes.prefault({}).describe('Which results are sent; empty: all of the organization and environment'),
  codes: codes
    .prefault({})
    .describe(
      'The receiver’s own codes: {"observations": {"89260-4": "WAREA^Wound area^L"}, "units": {"cm2": "SQCM"}, "sites": {"84607009": "HEEL^Heel^L"}, "services": {"WUND": "WNDASM^Wound assessment^L"}}; services: OBR-4, by the code of the order or 39135-9',
    ),
  constants: constants
    .prefault({})
    .describe(
      'What stands in OBR-4, OBR-16, OBR-24, OBX-15 or OBX-23 of every result: {"OBR-24": "WND", "OBX-23": "Wound clinic"}',
    ),
  omit: z
    .array(z.enum(rowCodes() as [string, ...string[]]))
    .max(50)
    .default([])
    .describe('Rows that are not sent, by the code of OBX-3'),
  authorities: z
    .record(z.string().min(1).max(255), authority)
    .default({})
    .describe(
      'Assigning authorities by the URI of their identifiers: {"urn:oid:1.2.3": "HOSP&1.2.3&ISO"}; "" stands for the organization’s own numbering',
    ),
});

/** The settings as an operator gives them. */
export type DestinationInput = z.input<typeof DESTINATION_SETTINGS>;
/** The settings with all defaults. */
export type DestinationSettings = z.output<typeof DESTINATION_SETTINGS>;

/** A receiver of one tenant's results, with its settings. */
export interface Hl7Destination extends Tenant {
  readonly id: string;
  readonly name: string;
  /** False: paused. Messages are queued and wait. */
  readonly enabled: boolean;
  readonly settings: DestinationSettings;
  readonly createdAt: Date;
}

/** The origin of a result, by which routes choose destinations. */
export interface ResultOrigin {
  readonly door: (typeof DOORS)[number];
  /** null: it did not come by HL7 v2. */
  readonly listenerId: string | null;
  /** MSH-4 of the order; null: it did not come by HL7 v2. */
  readonly facility: string | null;
}
