import type { Resource } from './json.js';
import type { Issue } from './outcome.js';
import type { Surroundings } from './surroundings.js';
import { checkBase } from './rules/base.js';
import { checkEpic, keepEpic } from './rules/epic.js';
import { checkIsik } from './rules/isik.js';
import { checkOracle, keepOracle } from './rules/oracle.js';
import { checkUsCoreNote } from './rules/us-core-note.js';

/** How EHRs differ in what they take; the names are those of the registration of an EHR. */
export type Dialect = 'transaction' | 'us-core-note' | 'epic' | 'oracle' | 'isik';

/** What a server offers on a type, by FHIR's names. */
export type Interaction = 'create' | 'read' | 'vread' | 'update' | 'search-type' | 'history-instance';

/** What one dialect offers of one type. */
export interface TypeRules {
  readonly interactions: readonly Interaction[];
  readonly searches?: readonly string[];
  readonly conditionalCreate?: boolean;
  /** An update without If-Match is refused. */
  readonly needsIfMatch?: boolean;
  /** A version is neither answered nor read: nobody can update what it filed. */
  readonly hidesVersions?: boolean;
  /** A search names at least one of these. */
  readonly searchNeeds?: readonly string[];
}

export interface DialectRules {
  readonly software: string;
  readonly types: Readonly<Record<string, TypeRules>>;
  readonly transaction: boolean;
  readonly permissions: readonly ('v1' | 'v2')[];
  /** Whether attachments are read as `url` of a Binary, not inline. */
  readonly movesAttachments: boolean;
  /** Whether a document that another one replaces is marked as superseded. */
  readonly supersedes: boolean;
  /** What is wrong with a resource that is sent, beside what R4 refuses. */
  check(resource: Resource, surroundings: Surroundings): readonly Issue[];
  /** What stays of it. */
  keep(resource: Resource): Resource;
}

const READ: readonly Interaction[] = ['read', 'search-type'];
const WRITE: readonly Interaction[] = ['create', 'read', 'vread', 'update', 'search-type', 'history-instance'];
const PEOPLE: Readonly<Record<string, TypeRules>> = {
  Patient: { interactions: READ, searches: ['_id', 'identifier'], searchNeeds: ['_id', 'identifier'] },
  Encounter: {
    interactions: READ,
    searches: ['_id', 'identifier', 'patient', 'subject', 'date', 'status', 'class'],
    searchNeeds: ['_id', 'identifier', 'patient', 'subject'],
  },
  Practitioner: { interactions: READ, searches: ['_id', 'identifier'] },
  PractitionerRole: { interactions: READ, searches: ['_id', 'identifier', 'practitioner'] },
  Organization: { interactions: READ, searches: ['_id', 'identifier'] },
};
const DOCUMENTS = ['_id', 'patient', 'subject', 'encounter', 'type', 'category', 'date', 'period', 'status'];
const FINDINGS = ['_id', 'patient', 'subject', 'encounter', 'code', 'category', 'date', 'status'];
const FREE: TypeRules = {
  interactions: WRITE,
  searches: ['_id', 'identifier', 'patient', 'subject', 'status'],
  conditionalCreate: true,
};
const OF_PATIENT = ['_id', 'patient', 'subject'];
const keepAll = (resource: Resource): Resource => resource;

/** What EHRs take, restated from their CapabilityStatements and guides (HAPI and others; US Core "Writing Clinical Notes"; Epic R4 of May 2026; Oracle Millennium of August 2026; gematik ISiK documents with IHE MHD ITI-105). */
export const DIALECTS: Readonly<Record<Dialect, DialectRules>> = {
  transaction: {
    software: 'Fake EHR with transactions',
    types: {
      ...PEOPLE,
      DocumentReference: { ...FREE, searches: [...DOCUMENTS, 'identifier'] },
      Observation: { ...FREE, searches: [...FINDINGS, 'identifier'] },
      DiagnosticReport: { ...FREE, searches: [...FINDINGS, 'identifier'] },
      Media: FREE,
      Binary: { interactions: ['create', 'read'] },
      BodyStructure: FREE,
      Device: FREE,
      Provenance: FREE,
      Condition: FREE,
      ServiceRequest: FREE,
    },
    transaction: true,
    permissions: ['v1', 'v2'],
    movesAttachments: false,
    supersedes: false,
    check: checkBase,
    keep: keepAll,
  },
  'us-core-note': {
    software: 'Fake EHR with clinical notes of US Core',
    types: {
      ...PEOPLE,
      DocumentReference: {
        interactions: WRITE,
        searches: [...DOCUMENTS, 'identifier'],
        conditionalCreate: true,
        needsIfMatch: true,
        searchNeeds: [...OF_PATIENT, 'identifier'],
      },
      Observation: {
        interactions: WRITE,
        searches: [...FINDINGS, 'identifier'],
        conditionalCreate: true,
        needsIfMatch: true,
        searchNeeds: [...OF_PATIENT, 'identifier'],
      },
      Binary: { interactions: ['read'] },
    },
    transaction: false,
    permissions: ['v2'],
    movesAttachments: false,
    supersedes: true,
    check: checkUsCoreNote,
    keep: keepAll,
  },
  epic: {
    software: 'Fake EHR like Epic',
    types: {
      ...PEOPLE,
      DocumentReference: {
        interactions: ['create', 'read', 'update', 'search-type'],
        searches: DOCUMENTS,
        needsIfMatch: true,
        hidesVersions: true,
        searchNeeds: OF_PATIENT,
      },
      Observation: {
        interactions: ['create', 'read', 'update', 'search-type'],
        searches: FINDINGS,
        needsIfMatch: true,
        searchNeeds: OF_PATIENT,
      },
      DiagnosticReport: {
        interactions: ['read', 'update', 'search-type'],
        searches: FINDINGS,
        needsIfMatch: true,
        searchNeeds: OF_PATIENT,
      },
      Binary: { interactions: ['read'] },
    },
    transaction: false,
    permissions: ['v1', 'v2'],
    movesAttachments: true,
    supersedes: false,
    check: checkEpic,
    keep: keepEpic,
  },
  oracle: {
    software: 'Fake EHR like Oracle Millennium',
    types: {
      ...PEOPLE,
      DocumentReference: {
        interactions: ['create', 'read', 'update', 'search-type'],
        searches: ['_id', 'patient', 'encounter', 'period', 'type'],
        needsIfMatch: true,
        searchNeeds: ['_id', 'patient'],
      },
      Observation: {
        interactions: ['create', 'read', 'update', 'search-type'],
        searches: ['_id', 'patient', 'subject', 'code', 'category', 'date'],
        needsIfMatch: true,
        searchNeeds: OF_PATIENT,
      },
      DiagnosticReport: {
        interactions: ['create', 'read', 'search-type'],
        searches: ['_id', 'patient', 'subject', 'encounter', 'code', 'category', 'date'],
        searchNeeds: OF_PATIENT,
      },
      Binary: { interactions: ['read'] },
    },
    transaction: false,
    permissions: ['v1', 'v2'],
    movesAttachments: true,
    supersedes: false,
    check: checkOracle,
    keep: keepOracle,
  },
  isik: {
    software: 'Fake KIS with ISiK documents',
    types: {
      ...PEOPLE,
      DocumentReference: {
        interactions: ['create', 'read', 'search-type'],
        searches: [...DOCUMENTS, 'identifier'],
        searchNeeds: OF_PATIENT,
      },
      Binary: { interactions: ['read'] },
    },
    transaction: false,
    permissions: ['v2'],
    movesAttachments: true,
    supersedes: true,
    check: checkIsik,
    keep: keepAll,
  },
};
