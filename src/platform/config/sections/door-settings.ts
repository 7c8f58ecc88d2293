import { z } from 'zod';
import { variable } from '../variable.js';
import { aesKeys, flag, networks, onOrOff, whole } from '../value-schemas.js';

const MIB = 1024 * 1024;

/** The doors of FHIR and HL7 v2, and where webhooks may go. */
export const DOOR_SECTIONS = {
  fhir: {
    snomed: variable(
      'FHIR_SNOMED',
      'Add SNOMED CT codes to FHIR resources, for which the country of use needs a licence; off: LOINC and local codes only',
      onOrOff,
    ),
    style: variable(
      'FHIR_STYLE',
      'discrete: an Observation for each measure; skin-wound-ig: as the HL7 skin and wound guide has them',
      z.enum(['discrete', 'skin-wound-ig']).default('discrete'),
    ),
    photoAs: variable(
      'FHIR_PHOTO_AS',
      'As what a photo that came in natively is shown over FHIR',
      z.enum(['media', 'documentreference', 'both']).default('media'),
    ),
    requireIfMatch: variable('FHIR_REQUIRE_IF_MATCH', 'Refuse FHIR updates and patches without If-Match', flag),
    maxInlineBytes: variable(
      'FHIR_MAX_INLINE_BYTES',
      'Largest attachment inside a FHIR resource, in bytes once decoded',
      whole(1024, 48 * MIB, 20 * MIB),
    ),
    erase: variable(
      'FHIR_ERASE',
      'Offer the operation $erase of Patients over FHIR, for keys with the scope patients:erase',
      flag,
    ),
    exportLifeH: variable(
      'FHIR_EXPORT_LIFE_H',
      'Hours for which the files of a complete $export are kept',
      whole(1, 720, 24),
    ),
  },
  hl7: {
    port: variable(
      'HL7_PORT',
      'MLLP port of the demo organization, which only the embedded database has; 0 takes a free one',
      whole(0, 65535, 2575),
    ),
    host: variable(
      'HL7_HOST',
      'Address that MLLP listeners are bound to unless theirs says otherwise',
      z.string().default('127.0.0.1'),
    ),
    maxBytes: variable('HL7_MAX_BYTES', 'Largest HL7 message in bytes', whole(1024, 200 * MIB, 40 * MIB)),
    allowPlain: variable(
      'HL7_ALLOW_PLAIN',
      'Let MLLP listeners without TLS be bound to other addresses than those of this machine itself',
      flag,
    ),
    encryptionKeys: variable(
      'HL7_ENCRYPTION_KEY',
      'Key of 32 bytes in base64 that HL7 messages are kept encrypted with; several by commas: the first encrypts, all decrypt',
      aesKeys.optional(),
    ),
  },
  ehrs: {
    networks: variable(
      'SUTURA_EHR_NETWORKS',
      'Networks inside, such as 10.20.0.0/16, that the FHIR server, the authorization, the tokens and the keys of a registered EHR may be in beside the public internet, there without TLS too',
      networks,
    ),
  },
  deliveries: {
    networks: variable(
      'SUTURA_DELIVERY_NETWORKS',
      'Networks inside, such as 10.20.0.0/16, that webhooks and Subscriptions of every organization may be sent to beside the public internet, there without TLS too; org set --delivery-networks opens them for one',
      networks,
    ),
  },
} as const;
