import type { EhrState } from './ehr-state.js';
import type { Resource } from './json.js';

const SEARCH_TYPES: Readonly<Record<string, string>> = {
  _id: 'token',
  identifier: 'token',
  type: 'token',
  code: 'token',
  category: 'token',
  class: 'token',
  status: 'token',
  date: 'date',
  period: 'date',
};

/** The CapabilityStatement of what the EHR offers now. */
export function capabilityOf(
  state: EhrState,
  urls: { readonly fhirBaseUrl: string; readonly authorize: string; readonly token: string },
): Resource {
  const { rules } = state;
  return {
    resourceType: 'CapabilityStatement',
    status: 'active',
    date: new Date(state.now()).toISOString(),
    kind: 'instance',
    software: { name: rules.software },
    implementation: { description: rules.software, url: urls.fhirBaseUrl },
    fhirVersion: '4.0.1',
    format: ['json', 'application/fhir+json'],
    rest: [
      {
        mode: 'server',
        security: state.isOpen ? {} : securityOf(urls),
        resource: Object.keys(rules.types).map((type) => resourceOf(state, type)),
        ...(rules.transaction ? { interaction: [{ code: 'transaction' }] } : {}),
      },
    ],
  };
}

function securityOf({ authorize, token }: { readonly authorize: string; readonly token: string }) {
  return {
    service: [
      {
        coding: [{ system: 'http://terminology.hl7.org/CodeSystem/restful-security-service', code: 'SMART-on-FHIR' }],
      },
    ],
    extension: [
      {
        url: 'http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris',
        extension: [
          { url: 'authorize', valueUri: authorize },
          { url: 'token', valueUri: token },
        ],
      },
    ],
  };
}

function resourceOf(state: EhrState, type: string) {
  const { interactions, searches = [], conditionalCreate, needsIfMatch, hidesVersions } = state.typeRules(type)!;
  return {
    type,
    interaction: interactions.map((code) => ({ code })),
    versioning: hidesVersions === true ? 'no-version' : needsIfMatch === true ? 'versioned-update' : 'versioned',
    conditionalCreate: conditionalCreate === true,
    ...(interactions.includes('search-type')
      ? { searchParam: searches.map((name) => ({ name, type: SEARCH_TYPES[name] ?? 'reference' })) }
      : {}),
  };
}
