import type {
  CapabilityStatement,
  CapabilityStatementRestResource,
  CapabilityStatementRestResourceInteraction,
  CapabilityStatementRestResourceOperation,
  CapabilityStatementRestSecurity,
} from '@medplum/fhirtypes';
import { AUDIT_EVENT_CAPABILITIES } from '../audit/audit-event-capabilities.js';
import { CORE_DEFINITIONS, FHIR_RELEASE } from '../../../standards/fhir/types/fhir-release.js';
import {
  hasConditionalDelete,
  hasConditionalUpdate,
  hasUpdateCreate,
} from '../../../standards/fhir/types/served-types.js';
import { interactionsOf, reachableTypes } from '../../../standards/fhir/types/type-access.js';
import type { TypeInteraction } from '../../../standards/fhir/types/type-row.js';
import { TYPE_TABLE, type ServedType } from '../../../standards/fhir/types/type-table.js';
import { PATCH_TYPES } from '../interactions/sent-patch.js';
import type { FhirOperation } from '../operations/fhir-operation.js';
import type { OperationDirectory } from '../operations/operation-directory.js';
import { CANONICAL_BASE, type ProfileLibrary } from '../../../standards/fhir/profiles/profile-library.js';
import { PACKAGE_NAME, PACKAGE_VERSION } from '../../../standards/fhir/profiles/implementation-guide.js';
import { factsOf } from '../../../standards/fhir/profiles/published-facts.js';
import { SUBSCRIPTION_CAPABILITIES } from '../../../exits/subscriptions/subscription-capabilities.js';
import { BACKPORT } from '../../../exits/subscriptions/subscription-topics.js';
import {
  includesOf,
  parametersOf,
  revIncludesOf,
  sortsOf,
} from '../../../standards/fhir/search-index/parameters/search-parameters.js';
import { DefinitionReading } from '../interactions/definition-reading.js';

type InteractionCode = CapabilityStatementRestResourceInteraction['code'];

const CODES: Readonly<Record<TypeInteraction, readonly InteractionCode[]>> = {
  read: ['read'],
  vread: ['vread'],
  history: ['history-instance', 'history-type'],
  search: ['search-type'],
  create: ['create'],
  update: ['update'],
  patch: ['patch'],
  delete: ['delete'],
};

interface StatementFacts {
  /** Absolute, as the client addressed it. */
  readonly base: string;
  readonly softwareVersion: string;
  readonly requireIfMatch: boolean;
}

/** The capabilities of this server (R4 capabilitystatement.html), built from the tables that its routes and searches read. */
export function capabilityStatement(
  facts: StatementFacts,
  operations: OperationDirectory,
  library: ProfileLibrary,
): CapabilityStatement {
  const dates = library.resources().map((resource) => factsOf(resource).date ?? '');
  return {
    resourceType: 'CapabilityStatement',
    id: 'sutura-server',
    url: `${CANONICAL_BASE}CapabilityStatement/sutura-server`,
    version: facts.softwareVersion,
    name: 'SuturaServer',
    title: 'Sutura FHIR R4 server',
    status: 'active',
    date: dates.sort().at(-1)!,
    publisher: 'Sutura',
    description:
      'FHIR interface of the Sutura wound assessment service: photos and orders in, reports for follow-up out.',
    kind: 'instance',
    software: { name: 'Sutura', version: facts.softwareVersion },
    implementation: { description: 'Sutura', url: facts.base },
    implementationGuide: [`${CANONICAL_BASE}ImplementationGuide/${PACKAGE_NAME}|${PACKAGE_VERSION}`],
    instantiates: [
      'http://hl7.org/fhir/uv/bulkdata/CapabilityStatement/bulk-data',
      `${BACKPORT}/CapabilityStatement/backport-subscription-server-r4`,
    ],
    fhirVersion: FHIR_RELEASE.version,
    format: ['application/fhir+json', 'json', 'application/fhir+xml', 'xml'],
    patchFormat: [...PATCH_TYPES],
    rest: [
      {
        mode: 'server',
        documentation: 'One data set for each organization and environment (test, live): that of the key.',
        security: SECURITY,
        resource: [
          ...reachableTypes().map((type) => restResource(type, facts, operations, library)),
          SUBSCRIPTION_CAPABILITIES,
          AUDIT_EVENT_CAPABILITIES,
        ],
        interaction: [{ code: 'transaction' }, { code: 'batch' }, { code: 'history-system' }],
        ...listed('operation', operations.ofSystem().map(operationView)),
      },
    ],
  };
}

/** Where tokens come from stands in .well-known/smart-configuration: the extension `oauth-uris` wants an address to log in, too. */
const SECURITY: CapabilityStatementRestSecurity = {
  cors: false,
  service: [
    {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/restful-security-service', code: 'SMART-on-FHIR' }],
    },
  ],
  description:
    'A token by SMART Backend Services (.well-known/smart-configuration), as "Authorization: Bearer [token]"; its system scopes say which interactions on which types it may use. Or an API key, as "Authorization: Bearer [key]" or "X-API-Key: [key]", with scopes of its own.',
};

function restResource(
  type: ServedType,
  { requireIfMatch }: StatementFacts,
  operations: OperationDirectory,
  library: ProfileLibrary,
): CapabilityStatementRestResource {
  const row = TYPE_TABLE[type];
  const { origin } = row;
  const interactions = interactionsOf(type);
  const changes = interactions.includes('update');
  return {
    type,
    profile: `${CORE_DEFINITIONS}${type}`,
    ...listed('supportedProfile', profilesOf(type, library)),
    interaction: interactions.flatMap((interaction) => CODES[interaction].map((code) => ({ code }))),
    versioning: changes && requireIfMatch ? 'versioned-update' : 'versioned',
    readHistory: origin === 'store' && interactions.includes('vread'),
    updateCreate: hasUpdateCreate(row),
    conditionalCreate: row.conditional,
    conditionalRead: 'full-support',
    conditionalUpdate: hasConditionalUpdate(row),
    conditionalDelete: hasConditionalDelete(row) ? 'single' : 'not-supported',
    ...(origin === 'store' ? { referencePolicy: ['literal', 'logical', 'enforced'] } : {}),
    ...(origin === 'store'
      ? searchOf(type, interactions)
      : origin === 'definitions'
        ? { searchParam: DefinitionReading.parameters() }
        : {}),
    ...listed('operation', operations.ofType(type).map(operationView)),
  };
}

function searchOf(type: string, interactions: readonly TypeInteraction[]): Partial<CapabilityStatementRestResource> {
  if (!interactions.includes('search')) return {};
  return {
    documentation: `Sorted by ${sortsOf(type).join(', ')}.`,
    ...listed('searchInclude', includesOf(type)),
    ...listed('searchRevInclude', revIncludesOf(type)),
    searchParam: parametersOf(type).map(({ name, definition, type: kind, documentation }) => ({
      name,
      definition,
      type: kind,
      ...(documentation === undefined ? {} : { documentation }),
    })),
  };
}

function profilesOf(type: string, library: ProfileLibrary): string[] {
  return library
    .resources('StructureDefinition')
    .flatMap((profile) =>
      profile.resourceType === 'StructureDefinition' && profile.type === type ? [profile.url] : [],
    );
}

function operationView({ name, definition, scope }: FhirOperation): CapabilityStatementRestResourceOperation {
  return { name, definition, documentation: `For keys with the scope ${[scope].flat().join(' or ')}.` };
}

/** R4 has no empty lists. */
function listed<K extends string, T>(name: K, items: readonly T[]): Partial<Record<K, T[]>> {
  return items.length === 0 ? {} : ({ [name]: [...items] } as Partial<Record<K, T[]>>);
}
