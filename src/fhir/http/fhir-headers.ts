export const FHIR_CONTENT_TYPE = 'application/fhir+json; charset=utf-8';

/** On every answer of this door that is FHIR. */
export const FHIR_HEADERS: Readonly<Record<string, string>> = {
  'content-type': FHIR_CONTENT_TYPE,
  'cache-control': 'private, no-store',
};
