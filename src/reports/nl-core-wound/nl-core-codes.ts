import type { Laterality } from '../../core/analysis/analysis-job.js';
import type { ExudateAmount, WoundEdge } from '../../core/analysis/clinician-observations.js';
import type { Tissue } from '../../core/tissue/tissues.js';
import { code, snomed, type Code } from '../terminology/codes.js';

/**
 * Codes of the Dutch information standard "zib Wound" and "zib PressureUlcer", release 2020, in the FHIR R4 profiles `nl-core-Wound` and
 * `nl-core-PressureUlcer` (Nictiz, CC0). Their displays are those of Nictiz' value sets, in Dutch.
 */
export const NL_CORE = 'http://nictiz.nl/fhir/StructureDefinition/';

const tissueColour = code('urn:oid:2.16.840.1.113883.2.4.3.11.60.40.4.7.2');
const moisture = code('urn:oid:2.16.840.1.113883.2.4.3.11.60.40.4.7.3');

export const NL_CORE_CODES = {
  wound: snomed('416462003', 'verwonding'),
  pressureUlcer: snomed('399912005', 'decubitus'),
  characteristics: snomed('225552003', 'Wound finding'),
  tissue: snomed('148641000146109', 'observatie betreffende wondweefsel'),
  moisture: snomed('298007001', 'vochtigheid van verwonding'),
  edge: snomed('449747006', 'bevinding betreffende rand van wond'),
} as const;

/** From the worst: the colour of a wound is that of the worst tissue that it has (WCS, Classificatiemodel). */
export const TISSUE_COLOURS: readonly (readonly [tissue: Tissue, colour: Code])[] = [
  ['necrosis', tissueColour('ZWART', 'Zwarte wond')],
  ['slough', tissueColour('GEEL', 'Gele wond')],
  ['granulation', tissueColour('ROOD', 'Rode wond')],
];

export const MOISTURE: Readonly<Record<ExudateAmount, Code>> = {
  none: moisture('DROOG', 'Droge wond'),
  light: moisture('VOCHTIG', 'Vochtige wond'),
  moderate: moisture('VOCHTIG', 'Vochtige wond'),
  heavy: moisture('NAT', 'Natte wond'),
};

/** Of the kinds of edge that the standard has a code for, the worst first. */
export const EDGES: readonly (readonly [edge: WoundEdge, finding: Code])[] = [
  ['undermined', snomed('449752001', 'ondermijning van weefsel van verwonding')],
  ['macerated', snomed('3644009', 'maceratie van huid')],
];
export const OTHER_EDGE = code('http://terminology.hl7.org/CodeSystem/v3-NullFlavor')('OTH', 'Other');

/** The four grades that the standard has; it has none for an injury without a grade. */
export const PRESSURE_GRADES: Readonly<Record<string, Code>> = {
  '1': snomed('421076008', 'decubitus graad 1'),
  '2': snomed('420324007', 'decubitus graad 2'),
  '3': snomed('421927004', 'decubitus graad 3'),
  '4': snomed('420597008', 'decubitus graad 4'),
};

export const SIDE_EXTENSION = `${NL_CORE}ext-AnatomicalLocation.Laterality`;
/** The sides that the standard has a code for and that are stated here. */
export const SIDES: Readonly<Partial<Record<Laterality, Code>>> = {
  left: snomed('7771000', 'links'),
  right: snomed('24028007', 'rechts'),
};
