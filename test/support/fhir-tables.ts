/** The tables of FHIR resources, their versions, and the rows that searches read. */
export const FHIR_TABLES = [
  'fhir_resources',
  'fhir_versions',
  'fhir_identifiers',
  'fhir_terms',
  'fhir_references',
  'fhir_dates',
  'fhir_quantities',
  'fhir_strings',
];
