import type {
  ClinicianField,
  ExudateAmount,
  ExudateType,
  Odour,
  PeriwoundFinding,
  WoundEdge,
} from '../../core/analysis/clinician-observations.js';
import { loinc, local, snomed, SNOMED, type Code } from './codes.js';

export type { ClinicianField };

/**
 * The code of each field that a clinician states, the same in FHIR and HL7 v2. Length and width by hand have codes of their own, so that
 * no receiver draws one curve through them and the photo's: they are measured in another way.
 */
export const CLINICIAN_CODES = {
  depthCm: loinc('39127-6', 'Depth of Wound'),
  lengthCm: local('bedside-length', 'Length of wound, head to toe, measured at the bedside'),
  widthCm: local('bedside-width', 'Width of wound, side to side, measured at the bedside'),
  exudate: loinc('39116-9', 'Drainage amount of Wound'),
  exudateType: loinc('72290-0', 'Appearance of Exudate from wound'),
  odour: loinc('72288-4', 'Odor of Exudate from wound'),
  painNrs: local('pain-nrs', 'Pain, numeric rating scale 0 to 10'),
  undermining: loinc('72293-4', 'Undermining [Length] of Wound'),
  tunnelling: loinc('72296-7', 'Tunneling [Length] of Wound'),
  edges: loinc('72304-9', 'Edge of wound description'),
  periwound: loinc('72301-5', 'Description of Periwound'),
  infectionSigns: local('infection-signs', 'Signs of infection in the words of the clinician'),
  infectionSignCodes: local('infection-sign-codes', 'Signs of infection, each present or absent'),
  stage: local('wound-stage', 'Stage or grade of the wound, as stated by a person'),
} as const satisfies Readonly<Record<ClinicianField, Code>>;

export const CLINICIAN_FIELDS = Object.keys(CLINICIAN_CODES) as readonly ClinicianField[];

/** Clock positions of pockets: components in FHIR, rows beside the depth in HL7 v2. */
export const CLOCK = {
  undermining: loinc('72294-2', 'Undermining clock position of Wound'),
  tunnelling: loinc('72297-5', 'Tunneling clock position of Wound'),
  /** Beside the code of undermining: which end of the stretch it is. */
  from: local('undermining-from', 'Undermining from this hour, clockwise'),
  to: local('undermining-to', 'Undermining to this hour, clockwise'),
} as const;

/** A value of a coded field: our own code, and that of SNOMED CT where a terminology server knows one for the same. */
export interface ClinicianValue {
  readonly own: Code;
  readonly snomed: Code | null;
}

const value = (own: string, display: string, finding: Code | null = null): ClinicianValue => ({
  own: local(own, display),
  snomed: finding,
});

const EXUDATE: Readonly<Record<ExudateAmount, ClinicianValue>> = {
  none: value('exudate-none', 'No exudate', snomed('260413007', 'None')),
  light: value('exudate-light', 'Light exudate', snomed('255507004', 'Small')),
  moderate: value('exudate-moderate', 'Moderate exudate', snomed('6736007', 'Moderate')),
  heavy: value('exudate-heavy', 'Heavy exudate', snomed('255509001', 'Large')),
};

const EXUDATE_TYPE: Readonly<Record<ExudateType, ClinicianValue>> = {
  serous: value('exudate-serous', 'Serous exudate', snomed('447112000', 'Serous discharge from wound')),
  serosanguineous: value(
    'exudate-serosanguineous',
    'Serosanguineous exudate',
    snomed('449756003', 'Serosanguineous discharge from wound'),
  ),
  sanguineous: value(
    'exudate-sanguineous',
    'Sanguineous exudate',
    snomed('449762008', 'Sanguineous discharge from wound'),
  ),
  purulent: value('exudate-purulent', 'Purulent exudate', snomed('225550006', 'Purulent discharge from wound')),
};

const ODOUR: Readonly<Record<Odour, ClinicianValue>> = {
  none: value('odour-none', 'No odour'),
  faint: value('odour-faint', 'Faint odour'),
  moderate: value('odour-moderate', 'Moderate odour'),
  strong: value('odour-strong', 'Strong odour'),
};

const EDGES: Readonly<Record<WoundEdge, ClinicianValue>> = {
  attached: value('edge-attached', 'Wound edge attached', snomed('449748001', 'Wound edges attached')),
  not_attached: value('edge-not-attached', 'Wound edge not attached'),
  approximated: value('edge-approximated', 'Wound edges approximated', snomed('449741007', 'Wound edges approximated')),
  distinct: value('edge-distinct', 'Wound edge distinct', snomed('449750009', 'Wound edge sharp')),
  diffuse: value('edge-diffuse', 'Wound edge diffuse', snomed('449749009', 'Wound edge diffuse')),
  rolled: value('edge-rolled', 'Wound edge rolled', snomed('449751008', 'Rolled wound edge')),
  undermined: value('edge-undermined', 'Wound edge undermined', snomed('449752001', 'Wound tissue undermining')),
  macerated: value('edge-macerated', 'Wound edge macerated'),
  callused: value('edge-callused', 'Wound edge callused'),
  fibrotic: value('edge-fibrotic', 'Wound edge fibrotic'),
};

const PERIWOUND: Readonly<Record<PeriwoundFinding, ClinicianValue>> = {
  intact: value('periwound-intact', 'Periwound skin intact', snomed('444884003', 'Intact skin')),
  macerated: value('periwound-macerated', 'Periwound skin macerated', snomed('3644009', 'Macerated skin')),
  erythema: value('periwound-erythema', 'Erythema of periwound skin', snomed('444827008', 'Erythema of skin')),
  oedema: value('periwound-oedema', 'Oedema of periwound skin', snomed('95322002', 'Cutaneous edema')),
  induration: value('periwound-induration', 'Induration of periwound skin', snomed('449744004', 'Induration of wound')),
  warm: value('periwound-warm', 'Periwound skin warm', snomed('17038008', 'Increased skin temperature')),
  dry: value('periwound-dry', 'Periwound skin dry', snomed('16386004', 'Dry skin')),
  scaly: value('periwound-scaly', 'Periwound skin scaly', snomed('271761007', 'Scaliness of skin')),
  callus: value('periwound-callus', 'Callus of periwound skin', snomed('201040000', 'Callosity')),
  excoriated: value('periwound-excoriated', 'Periwound skin excoriated', snomed('247444006', 'Excoriation of skin')),
  fragile: value('periwound-fragile', 'Periwound skin fragile', snomed('247427007', 'Fragile skin')),
  blistered: value('periwound-blistered', 'Periwound skin blistered', snomed('247464001', 'Blistering eruption')),
};

/** The values of the fields that are coded. */
export const CLINICIAN_VALUES = {
  exudate: EXUDATE,
  exudateType: EXUDATE_TYPE,
  odour: ODOUR,
  edges: EDGES,
  periwound: PERIWOUND,
} as const satisfies Readonly<Partial<Record<ClinicianField, Readonly<Record<string, ClinicianValue>>>>>;

export type CodedField = keyof typeof CLINICIAN_VALUES;

/** Codes of SNOMED CT that others send for a value, besides the one that is sent for it. */
const ALSO_SENT: Readonly<Record<CodedField, Readonly<Record<string, string>>>> = {
  exudate: { '263865001': 'light' },
  exudateType: {},
  odour: { '260413007': 'none', '6736007': 'moderate' },
  edges: {},
  periwound: { '420356000': 'erythema' },
};

/** SNOMED CT's clock positions, from 1 to 12. */
export const CLOCK_POSITIONS: readonly string[] = [
  '260318004',
  '260328008',
  '260330005',
  '260333007',
  '260335000',
  '260337008',
  '260339006',
  '260341007',
  '260343005',
  '260322009',
  '260324005',
  '260326007',
];

export function clinicianValueOf(field: CodedField, name: string): ClinicianValue {
  return (CLINICIAN_VALUES[field] as Readonly<Record<string, ClinicianValue>>)[name]!;
}

/** The contract's name of the value that a code of ours or of SNOMED CT stands for; undefined: none of the field. */
export function clinicianNameOf(field: CodedField, { system, code }: Partial<Code>): string | undefined {
  if (code === undefined) return undefined;
  if (system === SNOMED && Object.hasOwn(ALSO_SENT[field], code)) return ALSO_SENT[field][code];
  return Object.entries<ClinicianValue>(CLINICIAN_VALUES[field]).find(([, { own, snomed: finding }]) =>
    system === SNOMED ? finding?.code === code : system === own.system && own.code === code,
  )?.[0];
}
