import type { DeclaredRow, ReadInteraction, TypeInteraction, TypeRow } from './type-row.js';

const READ = ['read', 'vread', 'search'] as const satisfies readonly ReadInteraction[];
const CHANGED = [...READ, 'history', 'create', 'update', 'patch'] as const satisfies readonly TypeInteraction[];
const WRITE = [...CHANGED, 'delete'] as const satisfies readonly TypeInteraction[];

/** Columns that most types that clients write have in common. */
const KEPT = {
  interactions: WRITE,
  origin: 'store',
  readers: 'analysis:read',
  conditional: true,
  intake: false,
  transaction: null,
  joinedByIdentifier: false,
  trace: null,
  showsPhoto: false,
} as const;

/** Columns of the types that only the service itself writes. */
const MADE = { ...KEPT, interactions: READ, writers: null, conditional: false } as const;

/** Profiles, terminology, definitions of operations, topics and their list, which this service publishes. */
const DEFINITION = { ...MADE, origin: 'definitions', readers: 'every-key', subject: null, merge: 'stays' } as const;

/**
 * One row for each type that is served (docs/developer/add-a-fhir-type.md). Routes, checks, the Allow header, bundles, the merge of
 * patients and the CapabilityStatement read it, in this order.
 */
export const TYPE_TABLE = {
  Patient: {
    ...KEPT,
    writers: 'images:write',
    intake: true,
    transaction: { bindRank: 1, settleRank: 1 },
    subject: null,
    merge: 'stays',
    joinedByIdentifier: true,
  },
  Encounter: { ...KEPT, writers: 'images:write', subject: 'subject', merge: 'moves', joinedByIdentifier: true },
  Organization: { ...KEPT, writers: 'images:write', subject: null, merge: 'stays' },
  Practitioner: { ...KEPT, writers: 'images:write', subject: null, merge: 'stays' },
  BodyStructure: {
    ...KEPT,
    writers: 'images:write',
    intake: true,
    transaction: { bindRank: 2, settleRank: 1 },
    subject: 'patient',
    merge: 'moves',
    joinedByIdentifier: true,
    trace: 'id',
  },
  // What was done to a wound, as a clinical event of it; any other is kept as it is.
  Procedure: {
    ...KEPT,
    writers: 'analysis:review',
    intake: true,
    transaction: { bindRank: null, settleRank: 1 },
    subject: 'subject',
    merge: 'moves',
    trace: 'id',
  },
  // One that names a wound may state its stage; any other is kept as it is.
  Condition: {
    ...KEPT,
    writers: 'analysis:write',
    intake: true,
    transaction: { bindRank: null, settleRank: 1 },
    subject: 'subject',
    merge: 'moves',
  },
  ServiceRequest: {
    ...KEPT,
    writers: 'analysis:write',
    intake: true,
    transaction: { bindRank: null, settleRank: 1 },
    subject: 'subject',
    merge: 'moves',
    joinedByIdentifier: true,
    trace: 'id',
  },
  Media: {
    ...KEPT,
    writers: 'images:write',
    intake: true,
    transaction: { bindRank: 3, settleRank: 2 },
    subject: 'subject',
    merge: 'moves',
    trace: 'photo',
    showsPhoto: true,
  },
  DocumentReference: {
    ...KEPT,
    writers: 'images:write',
    intake: true,
    transaction: { bindRank: 3, settleRank: 2 },
    subject: 'subject',
    merge: 'moves',
    trace: 'photo',
    showsPhoto: true,
  },
  // Says what became of an analysis, which nobody takes back.
  Task: {
    ...KEPT,
    interactions: CHANGED,
    writers: 'analysis:write',
    conditional: false,
    intake: true,
    transaction: { bindRank: null, settleRank: 3 },
    subject: 'for',
    merge: 'moves',
    trace: 'photo',
  },
  Binary: {
    ...KEPT,
    interactions: ['read', 'vread', 'create'],
    origin: 'bytes',
    writers: 'images:write',
    conditional: false,
    intake: true,
    transaction: { bindRank: 1, settleRank: 1 },
    subject: null,
    merge: 'stays',
    showsPhoto: true,
  },
  // Findings of clinicians. The intake refuses the codes of the service's own measurements, and changes of what it measured.
  Observation: {
    ...KEPT,
    writers: 'analysis:write',
    intake: true,
    transaction: { bindRank: null, settleRank: 1 },
    subject: 'subject',
    merge: 'moves-after-reports',
    trace: 'id',
  },
  DiagnosticReport: {
    ...MADE,
    interactions: [...READ, 'history'],
    subject: 'subject',
    merge: 'projected',
    trace: 'photo',
  },
  Device: { ...MADE, subject: null, merge: 'stays' },
  Provenance: { ...MADE, subject: null, merge: 'stays' },
  AuditEvent: {
    ...MADE,
    interactions: ['read', 'search'],
    origin: 'trail',
    // By audit:read, and by no route that reads what is stored: http/audit-event-routes.ts.
    readers: 'apart',
    subject: null,
    merge: 'stays',
  },
  StructureDefinition: DEFINITION,
  ValueSet: DEFINITION,
  CodeSystem: DEFINITION,
  ConceptMap: DEFINITION,
  SearchParameter: DEFINITION,
  OperationDefinition: DEFINITION,
  ImplementationGuide: DEFINITION,
  // The topics of Subscriptions, which R4 has no type for.
  Basic: DEFINITION,
} as const satisfies Readonly<Record<string, DeclaredRow>>;

export type ServedType = keyof typeof TYPE_TABLE;

/** The served types that have a value in one column of the table, as a type: `TypesWith<'intake', true>`. */
export type TypesWith<Column extends keyof TypeRow, Value extends TypeRow[Column]> = {
  [Type in ServedType]: (typeof TYPE_TABLE)[Type][Column] extends Value ? Type : never;
}[ServedType];
