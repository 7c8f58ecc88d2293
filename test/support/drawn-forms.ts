import { EXUDATE_AMOUNTS, ODOURS, type ClinicianObservations } from '../../src/core/analysis/clinician-observations.js';
import type { InfectionSign } from '../../src/core/analysis/infection-sign-codes.js';
import type { AssessmentInSeries } from '../../src/core/followup/series-order.js';
import { perTissue } from '../../src/core/tissue/tissues.js';
import { photoOn } from './series-photos.js';
import { drawFindings, squareOf } from './wound-results.js';

/** What a nurse stated with one photo; shares of dead tissue in % of the bed. */
export interface Form extends ClinicianObservations {
  readonly necrosis?: number;
  readonly slough?: number;
}

/** A photo with a form, or without, of a wound that heals by a fifth a week: nothing but what is stated speaks against it. */
export function photoWithForm(
  day: number,
  form: Form | null,
  change: Partial<AssessmentInSeries> = {},
): AssessmentInSeries {
  const areaCm2 = 10 * 0.8 ** (day / 7);
  const findings = { ...drawFindings(squareOf(areaCm2)), areaRepeatabilityPct: 9.8 };
  const { necrosis, slough, ...observations } = form ?? {};
  const dead = { necrosis: (necrosis ?? 0) / 100, slough: (slough ?? 0) / 100 };
  const shares = { ...perTissue(() => 0), ...dead, granulation: 1 - dead.necrosis - dead.slough };
  const confirmedTissues = (['necrosis', 'slough'] as const).filter((tissue) => form?.[tissue] !== undefined);
  const tissue = { ...shares, method: perTissue(() => 'clinician' as const) };
  return photoOn(day, areaCm2, {
    observations: form === null ? null : observations,
    findings: confirmedTissues.length === 0 ? findings : { ...findings, tissue, confirmedTissues },
    ...change,
  });
}

const SIGNS: readonly InfectionSign[] = [
  'warmth',
  'erythema',
  'fever',
  'odour',
  'purulent_exudate',
  'increased_pain',
  'increased_exudate',
  'friable_granulation',
  'debris',
  'enlarging',
];
const NOT_LOOKED = ['not assessed'];
const WORDS = [['none'], ['foul'], ['hot and red'], NOT_LOOKED];
const WET = EXUDATE_AMOUNTS.filter((amount) => amount !== 'none');
const TENTHS = 10;

/** A form of few fields, as they are filled in on a ward. */
export function drawForm(random: () => number): Form {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const some = <T>(values: readonly T[], share: number): T[] => values.filter(() => random() < share);
  const tenths = (most: number) => Math.round(random() * most * TENTHS) / TENTHS;
  const whole: Form = {
    depthCm: tenths(3),
    painNrs: Math.floor(random() * 11),
    undermining: some([1, 5], 0.6).map((fromClock) => ({ fromClock, depthCm: 0.1 + tenths(3) })),
    tunnelling: some([2, 6, 9], 0.5).map((clock) => ({ clock, depthCm: 0.1 + tenths(3) })),
    exudate: pick(EXUDATE_AMOUNTS),
    exudateType: pick(['serous', 'purulent']),
    odour: pick(ODOURS),
    periwound: some(['warm', 'erythema', 'induration', 'dry', 'callus'], 0.4),
    edges: some(['attached', 'undermined', 'rolled'], 0.5),
    infectionSigns: pick(WORDS),
    infectionSignCodes: some(SIGNS, 0.4).map((sign) => ({ sign, status: pick(['present', 'absent']) })),
    stage: pick([
      { system: 'pressure', value: pick(['1', '2', '3', '4', 'unstageable', 'suspected_deep_tissue_injury']) },
      { system: 'wagner', value: pick(['0', '1', '2', '3']) },
      { system: 'texas', value: pick(['1A', '1B', '1C', '2A', '2D']) },
    ]),
    necrosis: pick([0, 0, 5, 15, 30, 45]),
    slough: pick([0, 10, 25, 35, 50]),
  };
  const share = pick([0.15, 0.4, 0.8]);
  const filled = Object.entries(whole).filter(
    ([, value]) => random() < share && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(filled);
}

/** The same form by somebody who finds some of it better. */
export function improved(form: Form, random: () => number): Form {
  const isBetter = () => random() < 0.6;
  const lower = (value: number | undefined) =>
    value === undefined || !isBetter() ? value : Math.round(value * random() * TENTHS) / TENTHS;
  const step = <T>(grades: readonly T[], grade: T | undefined): T | undefined =>
    grade === undefined || !isBetter() ? grade : grades[Math.floor(random() * (grades.indexOf(grade) + 1))];
  const fewer = <T>(list: readonly T[] | undefined): readonly T[] | undefined => list?.filter(() => random() < 0.6);
  // Where nobody had looked, "none" is news.
  const isSaid = form.infectionSigns !== undefined && form.infectionSigns !== NOT_LOOKED;
  const given: Form = {
    ...form,
    depthCm: lower(form.depthCm),
    painNrs: form.painNrs === undefined ? undefined : Math.floor(lower(form.painNrs)!),
    undermining: fewer(form.undermining),
    tunnelling: fewer(form.tunnelling),
    // Where nothing runs any more, no pus does: of weeks before that is news, too.
    exudate: form.exudate === undefined || form.exudate === 'none' ? form.exudate : step(WET, form.exudate),
    exudateType: form.exudateType === undefined || !isBetter() ? form.exudateType : 'serous',
    odour: step(ODOURS, form.odour),
    periwound: fewer(form.periwound),
    edges: fewer(form.edges),
    infectionSigns: isSaid && isBetter() ? ['none'] : form.infectionSigns,
    infectionSignCodes: form.infectionSignCodes?.map((one) =>
      isBetter() ? { ...one, status: 'absent' as const } : one,
    ),
    stage: form.stage?.system === 'pressure' && isBetter() ? { ...form.stage, value: '1' } : form.stage,
    ...(form.necrosis === undefined ? {} : { necrosis: lower(form.necrosis)! }),
    ...(form.slough === undefined ? {} : { slough: lower(form.slough)! }),
  };
  const stated = Object.entries(given).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(stated);
}
