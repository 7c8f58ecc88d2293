import { CLINICAL_EVENT_TYPES, type ClinicalEventType } from '../../core/followup/clinical-event.js';
import { local, snomed, type Code } from './codes.js';

/** R4’s own extension for a body structure that is kept as a resource. */
export const TARGET_BODY_STRUCTURE = 'http://hl7.org/fhir/StructureDefinition/procedure-targetBodyStructure';

const WORDS: Readonly<Record<ClinicalEventType, string>> = {
  debridement: 'Debridement of the wound',
  graft: 'Skin graft on the wound',
  skin_substitute: 'Skin substitute on the wound',
  compression: 'Compression therapy',
  offloading: 'Offloading',
  negative_pressure: 'Negative pressure wound therapy',
  antibiotics: 'Antibiotics',
  surgery: 'Surgery of the wound',
  amputation: 'Amputation',
  dressing_change: 'Change of dressing',
  trauma: 'Trauma to the wound',
  other: 'Other event of the wound',
};

/** What was done to a wound, by codes of our own: `event-negative-pressure`. */
export const EVENT = Object.fromEntries(
  CLINICAL_EVENT_TYPES.map((type) => [type, local(`event-${type.replaceAll('_', '-')}`, WORDS[type])]),
) as Readonly<Record<ClinicalEventType, Code>>;

/** SNOMED CT procedures that mean the same; only such as were looked up. */
export const EVENT_SNOMED: Readonly<Partial<Record<ClinicalEventType, Code>>> = {
  debridement: snomed('36777000', 'Debridement'),
  dressing_change: snomed('18949003', 'Change of dressing'),
};
