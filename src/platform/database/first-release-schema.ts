import type { QueryRunner } from 'typeorm';

/** MD5 of the columns of each table, with type and nullability; `functions` holds those of the schema. */
const FINGERPRINTS = `select name, md5(string_agg(line, E'\\n' order by line collate "C")) as md5 from (
    select relname::text as name, format('%s %s %s', attname, format_type(atttypid, atttypmod), attnotnull) as line
      from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
    union all
    select 'functions', format('%s %s', proname, md5(prosrc)) from pg_proc where pronamespace = current_schema()::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
  ) as lines group by name order by name`;

/** The tables of release 0.1.0 that differ from those that it made. The operator's own tables do not count. */
export async function changedTablesOfFirstRelease(runner: QueryRunner): Promise<readonly string[]> {
  const rows = (await runner.query(FINGERPRINTS)) as { name: string; md5: string }[];
  const found = new Map(rows.map(({ name, md5 }) => [name, md5]));
  return Object.entries(FIRST_RELEASE_TABLES).flatMap(([name, md5]) => (found.get(name) === md5 ? [] : [name]));
}

/** The migrations of release 0.1.0. */
export const FIRST_RELEASE_MIGRATIONS: readonly string[] = [
  'CreateFoundation1763700000000',
  'CreateCalibrationCards1763800000000',
  'CreateFollowUp1763900000000',
  'CreateFhir1764000000000',
  'CreateAnalysisRequests1764100000000',
  'CreateAudit1764200000000',
  'CreateHl71764300000000',
  'CreateHl7Outbox1764400000000',
  'CreatePatientMerges1764500000000',
  'IndexQuantitiesByUnit1764600000000',
];

const FIRST_RELEASE_TABLES: Readonly<Record<string, string>> = {
  analysis_jobs: '7226e49d11fec164848f166ed388f68f',
  analysis_requests: 'f66a76255ab5ce504d32a903d7656d62',
  api_keys: 'bb4919ac4a1731126bd6c37207cd2193',
  attachments: '3ac7b64ac1c89f3bafccab8e0a26bfe4',
  audit_events: '57773d563d0b68bc4a2f940e664b27b8',
  audit_seals: 'ffb6f2f5014610399706e55329c3b50e',
  calibration_cards: '3c0df8db26d3bcbff3891a6f5f4c19ca',
  fhir_dates: 'eac244780da164bfd1d3800fc7cac911',
  fhir_identifiers: '0e966373b5c8f730955f34c7906c1379',
  fhir_quantities: '49a12aa4551b3d695317272a948ba34f',
  fhir_references: '3b6ddee2e1c2e27e529d38c6c40a2edc',
  fhir_resources: '0dea1c1902abaecb4c96b3b1d669f2b2',
  fhir_strings: '6fcb09e6ab28698b20e4ce6c3dbc56ae',
  fhir_terms: 'cf99ade2a353edc1ea3f7e98bf3302a7',
  fhir_versions: '07b82407bef58058c198e6f0ee9bf253',
  functions: '877f63cbb5a4e837bc23cefff87c3d14',
  hl7_destinations: 'b0d58fa5cfe8bbf22480ddc9ae9d21df',
  hl7_inbound: '1fb1377ecb1636186b804f3dc2fd9c00',
  hl7_listeners: 'b0d58fa5cfe8bbf22480ddc9ae9d21df',
  hl7_orders: '524341caa2fa42fafd5d8dc53f49824b',
  hl7_outbox: '33be469ae2064864e3bba6588c850cf7',
  hl7_senders: 'c15620342b24cc357dfbce044dcc8a0c',
  idempotency_keys: '69905bda6f793375d0ab76c0153c0e15',
  images: '957b3eb07024d874fa9c2a97f03d1cd9',
  organizations: '769e246863bdd330cc4ab1d385fdbf24',
  outbox_events: 'b93a3a4d00161d08b4b8baa98f7f6c85',
  patient_identifiers: '665765a1c89d494e404998286798e073',
  patients: 'f0bc8d008599b1cfc99cd5ecd9beb00f',
  quota_usage: '34833a15e60926c57d61445fea0c8d9a',
  remote_images: 'ecdc041e65d89882e99e80ae2e93efc7',
  report_reviews: 'b1b7aaeeda3e8bc4a47ef45ad7fb81cd',
  report_versions: 'ac8f447872724587f9c79dd56edba6dd',
  reports: '318cd7be9d399c8b423c32a6ec653407',
  service_secrets: 'ca35a335dc894eb5435e89f34df22c3b',
  wound_events: '288fcfd9e5c715b548810eb99bc51e0e',
  wounds: '766d3a9b6fcf097ef8193b9888650024',
};
