import type {
  BodyStructure,
  CodeableConcept,
  Condition,
  DiagnosticReport,
  DocumentReference,
  Observation,
  Reference,
  Resource,
} from '@medplum/fhirtypes';
import type { ClinicalReport } from '../../core/report/clinical-report.js';
import { isSigned } from '../../core/report/wound-evidence.js';
import { tissuesOf } from '../../core/tissue/tissues.js';
import { CLINICIAN_CODES } from '../terminology/clinician-codes.js';
import { identifierSystem, OBSERVABLE, profileUrl, SNOMED, TISSUE_TERMS, type Code } from '../terminology/codes.js';
import { only, quantity, refer } from '../diagnostic-report/rendering-context.js';
import {
  EDGES,
  MOISTURE,
  NL_CORE,
  NL_CORE_CODES,
  OTHER_EDGE,
  PRESSURE_GRADES,
  SIDE_EXTENSION,
  SIDES,
  TISSUE_COLOURS,
} from './nl-core-codes.js';

/** A share of the wound bed below which a tissue gives the wound no colour, unless a clinician stated it. */
const COLOURING_SHARE = 0.1;
/** More of what is told apart by nobody than this, and the wound has no colour. */
const MOST_UNKNOWN = 0.5;
const LENGTHS: readonly (readonly [measure: 'length' | 'width' | 'depth', code: Code, profile: string])[] = [
  ['length', OBSERVABLE.length, 'nl-core-wounds.WoundLength'],
  ['width', OBSERVABLE.width, 'nl-core-wounds.WoundWidth'],
  ['depth', CLINICIAN_CODES.depthCm, 'nl-core-wounds.WoundDepth'],
];

/** A report's resources as they stand at the FHIR door. */
export interface ShownReport {
  readonly clinical: ClinicalReport;
  /** Of a patient: the standard knows no wound of nobody. */
  readonly report: DiagnosticReport & { readonly subject: Reference };
  readonly observations: readonly Observation[];
  readonly wound: BodyStructure | undefined;
  /** The photo in R5's form (`toPhotoDocument`). */
  readonly photo: DocumentReference | undefined;
}

/** A resource of the view, with the name by which the others refer to it. */
export interface WoundViewEntry {
  readonly fullUrl: string;
  readonly resource: Resource;
}

/**
 * One report as the Dutch standard has a wound: Condition, characteristics of one moment, and the photo. Length, width and depth are the
 * report's own Observations; tissue, moisture and edge are said once more in the standard's codes, and refer to those that they are made of.
 * Infection is left out: signs are stated here, and no diagnosis.
 *
 * @param name of a resource that is made here, such as `urn:uuid:…`
 * @param address of one that is served
 */
export function toNlCoreWound(
  shown: ShownReport,
  name: () => string,
  address: (of: Resource) => string,
): WoundViewEntry[] {
  const served = LENGTHS.flatMap(([measure, code, profile]): WoundViewEntry[] => {
    const one = measuredBy(shown, measure, code);
    return one === undefined ? [] : [{ fullUrl: address(one), resource: profiled(one, profile) }];
  });
  const made = [...lengthsOf(shown), tissueOf(shown), moistureOf(shown), edgeOf(shown)].flatMap(
    (resource): WoundViewEntry[] => (resource === null ? [] : [{ fullUrl: name(), resource }]),
  );
  const members = [...served, ...made];
  const characteristics = { fullUrl: name(), resource: characteristicsOf(shown, members) };
  const condition = { fullUrl: name(), resource: conditionOf(shown, characteristics.fullUrl) };
  const photo = photoOf(shown, characteristics.fullUrl);
  return [condition, characteristics, ...members, ...(photo === null ? [] : [{ fullUrl: name(), resource: photo }])];
}

function isOf({ code }: Observation, loinc: string): boolean {
  return code.coding?.some((coding) => coding.code === loinc) === true;
}

/** The photo's measure, not what a clinician stated beside it; the depth is always a clinician's. */
function measuredBy({ report, observations }: ShownReport, measure: string, code: Code): Observation | undefined {
  const own = measure === 'depth' ? 'stated-depth' : measure;
  return observations.find(
    (one) => one.id === `${report.id!}-${own}` && isOf(one, code.code) && one.valueQuantity?.value !== undefined,
  );
}

/** In the form of HL7's guide length and width are parts of one Observation, and no Observations. */
function lengthsOf(shown: ShownReport): Observation[] {
  const from = shown.observations.find((one) => isOf(one, OBSERVABLE.sizePanel.code));
  return LENGTHS.flatMap(([measure, code, profile]): Observation[] => {
    const value = measure === 'depth' ? undefined : shown.clinical.content.findings.figures?.[measure].cm?.value;
    if (value === undefined || measuredBy(shown, measure, code) !== undefined) return [];
    return [{ ...base(shown, measure, profile, code, from), valueQuantity: quantity(value, 'cm') } as Observation];
  });
}

function profiled(observation: Observation, profile: string): Observation {
  return { ...observation, meta: { ...observation.meta, profile: [`${NL_CORE}${profile}`] } };
}

/** What all that is made here has in common. `from`: the Observation that it says once more. */
function base({ report, observations }: ShownReport, kind: string, profile: string, code: Code, from?: Observation) {
  const [panel] = observations;
  const source = from ?? panel;
  return {
    resourceType: 'Observation' as const,
    meta: {
      profile: [`${NL_CORE}${profile}`],
      ...(source?.meta?.security === undefined ? {} : { security: source.meta.security }),
    },
    identifier: [{ system: identifierSystem('observation'), value: `${report.id!}/nl-core-${kind}` }],
    status: report.status as Observation['status'],
    code: only(code),
    subject: report.subject,
    ...(report.encounter === undefined ? {} : { encounter: report.encounter }),
    ...(report.effectiveDateTime === undefined ? {} : { effectiveDateTime: report.effectiveDateTime }),
    ...(report.issued === undefined ? {} : { issued: report.issued }),
    ...(source?.performer === undefined ? {} : { performer: source.performer }),
    ...(from === undefined ? {} : { derivedFrom: [refer(`Observation/${from.id!}`)] }),
  };
}

/** The colour of the worst tissue that counts. null: there is none, or too little is known of the bed. */
function tissueOf(shown: ShownReport): Observation | null {
  const { tissue, confirmedTissues } = shown.clinical.content.findings;
  const from = shown.observations.find((one) => isOf(one, OBSERVABLE.tissue.code));
  if (tissue === null || from === undefined || tissue.other > MOST_UNKNOWN) return null;
  const colour = TISSUE_COLOURS.find(
    ([name]) => tissue[name] >= COLOURING_SHARE || (tissue[name] > 0 && confirmedTissues.includes(name)),
  )?.[1];
  if (colour === undefined) return null;
  const shares = tissuesOf(tissue).map(
    (name) => `${TISSUE_TERMS[name].words} ${Math.round(tissue[name] * 1000) / 10} %`,
  );
  return {
    ...base(shown, 'tissue', 'nl-core-Wound.WoundTissue', NL_CORE_CODES.tissue, from),
    valueCodeableConcept: only(colour),
    note: [{ text: shares.join(', ') }],
  } as Observation;
}

function moistureOf(shown: ShownReport): Observation | null {
  const exudate = shown.clinical.content.clinicianObservations?.exudate;
  const from = shown.observations.find((one) => isOf(one, CLINICIAN_CODES.exudate.code));
  if (exudate === undefined || from === undefined) return null;
  return {
    ...base(shown, 'moisture', 'nl-core-Wound.WoundMoisture', NL_CORE_CODES.moisture, from),
    valueCodeableConcept: only(MOISTURE[exudate]),
  } as Observation;
}

/** One finding, as the standard has it: the worst that it has a code for, with all that was stated in words. */
function edgeOf(shown: ShownReport): Observation | null {
  const { edges = [] } = shown.clinical.content.clinicianObservations ?? {};
  const from = shown.observations.find((one) => isOf(one, CLINICIAN_CODES.edges.code));
  if (edges.length === 0 || from === undefined) return null;
  const finding = EDGES.find(([edge]) => edges.includes(edge))?.[1] ?? OTHER_EDGE;
  return {
    ...base(shown, 'edge', 'nl-core-Wound.WoundEdge', NL_CORE_CODES.edge, from),
    valueCodeableConcept: { ...only(finding), text: edges.map((edge) => edge.replaceAll('_', ' ')).join(', ') },
  } as Observation;
}

function characteristicsOf(shown: ShownReport, members: readonly WoundViewEntry[]): Observation {
  return {
    ...base(shown, 'characteristics', 'nl-core-wounds.WoundCharacteristics', NL_CORE_CODES.characteristics),
    ...(members.length === 0 ? {} : { hasMember: members.map(({ fullUrl }) => refer(fullUrl)) }),
    derivedFrom: shown.observations.slice(0, 1).map(({ id }) => refer(`Observation/${id!}`)),
    // The verdict, its reasons and what waits, which have no codes in the standard.
    ...(shown.report.conclusion === undefined ? {} : { note: [{ text: shown.report.conclusion }] }),
  } as Observation;
}

function conditionOf(shown: ShownReport, characteristics: string): Condition {
  const {
    clinical: { content },
    report,
  } = shown;
  const { subject, clinicianObservations } = content;
  const grade = clinicianObservations?.stage?.system === 'pressure' ? clinicianObservations.stage.value : undefined;
  const isPressure = grade !== undefined || subject.woundType?.code === NL_CORE_CODES.pressureUlcer.code;
  const site = toSite(shown);
  const coded = grade === undefined ? undefined : PRESSURE_GRADES[grade];
  return {
    resourceType: 'Condition',
    meta: { profile: [`${NL_CORE}${isPressure ? 'nl-core-PressureUlcer' : 'nl-core-Wound'}`] },
    identifier: [{ system: identifierSystem('wound'), value: subject.woundRef }],
    ...standingOf(shown),
    ...(isPressure ? {} : { category: [only(NL_CORE_CODES.wound)] }),
    code: isPressure ? only(NL_CORE_CODES.pressureUlcer) : toKind(shown),
    ...(site === undefined ? {} : { bodySite: [site] }),
    subject: report.subject,
    ...(coded === undefined ? {} : { stage: [{ summary: only(coded) }] }),
    evidence: [{ detail: [refer(characteristics)] }],
    ...notesOf(shown, site === undefined, grade !== undefined && coded === undefined ? grade : null),
  } as Condition;
}

/** `active` until a person closed the wound, and confirmed once a person has signed; of a withdrawn report nothing is said. */
function standingOf({ report, clinical, wound }: ShownReport): Partial<Condition> {
  const status = (name: string, value: string): CodeableConcept => ({
    coding: [{ system: `http://terminology.hl7.org/CodeSystem/condition-${name}`, code: value }],
  });
  if (report.status === 'entered-in-error') return { verificationStatus: status('ver-status', 'entered-in-error') };
  const closing = wound?.extension?.find(({ url }) => url === profileUrl('wound-closing'))?.extension ?? [];
  const isClosed = closing.length > 0 && closing.every(({ url }) => url !== 'reopenedAt');
  const isHealed = closing.some(({ url, valueCode }) => url === 'reason' && valueCode === 'healed');
  return {
    clinicalStatus: status('clinical', !isClosed ? 'active' : isHealed ? 'resolved' : 'inactive'),
    verificationStatus: status('ver-status', isSigned(clinical) ? 'confirmed' : 'unconfirmed'),
  };
}

/** The sender's own kind; without a code of SNOMED CT a wound, in their words. */
function toKind({
  clinical: {
    content: { subject },
  },
}: ShownReport): CodeableConcept {
  const { woundType } = subject;
  const isCoded = woundType?.system === SNOMED && woundType.code !== undefined;
  const text = woundType?.display === undefined ? {} : { text: woundType.display };
  return isCoded ? { coding: [{ ...woundType }], ...text } : { ...only(NL_CORE_CODES.wound), ...text };
}

/** The standard takes codes of SNOMED CT alone. */
function toSite({
  clinical: {
    content: { subject },
  },
}: ShownReport): CodeableConcept | undefined {
  const { bodySite, laterality } = subject;
  if (bodySite?.system !== SNOMED || bodySite.code === undefined) return undefined;
  const text = [laterality, bodySite.display].filter((part) => part !== null && part !== undefined).join(' ');
  const side = laterality === null ? undefined : SIDES[laterality];
  return {
    ...(side === undefined ? {} : { extension: [{ url: SIDE_EXTENSION, valueCodeableConcept: only(side) }] }),
    coding: [{ ...bodySite }],
    ...(text === '' ? {} : { text }),
  };
}

/** What has no code here, in words: the standard has one note. */
function notesOf(
  {
    clinical: {
      content: { subject },
    },
  }: ShownReport,
  siteInWords: boolean,
  grade: string | null,
): Partial<Condition> {
  const { bodySite, laterality } = subject;
  const site = [laterality, bodySite?.display ?? bodySite?.code].filter((part) => typeof part === 'string').join(' ');
  const words = [
    ...(siteInWords && site !== '' ? [`Site as stated: ${site}.`] : []),
    ...(grade === null ? [] : [`Pressure injury, ${grade.replaceAll('_', ' ')}.`]),
  ];
  return words.length === 0 ? {} : { note: [{ text: words.join(' ') }] };
}

function photoOf({ photo }: ShownReport, characteristics: string): DocumentReference | null {
  if (photo === undefined) return null;
  const { id: _served, extension: _ours, ...rest } = photo;
  return {
    ...rest,
    meta: { profile: [`${NL_CORE}nl-core-wounds.WoundImage`] },
    context: { ...photo.context, related: [refer(characteristics)] },
  };
}
