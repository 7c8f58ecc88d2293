import type { AttentionReason, ClinicalReport } from '../follow-up.js';
import type { EndedJob } from '../resources.js';
import type { WoundMeasurement, WoundResult } from '../result.js';
import { pointsOf } from './told-points.js';

/** What `attention` says, in words; a code that a later service adds stands alone. */
const WAITS_BECAUSE: Readonly<Record<AttentionReason, string>> = {
  site_mismatch: 'the stated site or side is not that of the wound’s earlier photos',
  duplicate_photo: 'the same photo was filed before, or for another patient or time',
  which_outline: 'more than one wound is outlined, and nobody said which of them this is',
  no_wound_in_region: 'nothing is outlined where subject.region says that the wound lies',
  area_jump: 'the area changed as wounds hardly do: it may spread fast, or be another wound',
  area_implausible: 'the area is larger than a body allows: check scale and outline',
  before_birth: 'by the records the patient was not born yet',
  sandbox: 'it was asked for by --outcome',
};

/**
 * What came of a job, a line each: nothing that waits, is doubtful or has to be looked at is left out.
 * @param report the job's; null: it has none
 */
export function linesOf(job: EndedJob, report: Pick<ClinicalReport, 'comparison' | 'flags'> | null = null): string[] {
  const asked = job.sandbox === undefined ? '' : ` (asked for: ${job.sandbox})`;
  const head = `job ${job.id}: ${job.status}${asked}`;
  if (job.status !== 'completed') return [head];
  const { result, links } = job;
  const { attention = [] } = result;
  return [
    attention.length === 0 ? head : `${head}, and its result waits for a person`,
    ...attention.map(reasonOf),
    ...figuresOf(result),
    ...doubtsOf(result),
    ...(report === null ? [] : pointsOf(report)),
    ...(links.report === undefined ? [] : [`report ${links.report}`]),
    ...(attention.length === 0 ? [] : [nextOf(links.report)]),
  ];
}

function reasonOf(code: string): string {
  const isKnown = Object.hasOwn(WAITS_BECAUSE, code);
  return `waits because ${code}${isKnown ? `: ${WAITS_BECAUSE[code as AttentionReason]}` : ''}`;
}

/** The wound of the subject, and how many outlines are not in its area. */
function figuresOf({ woundDetected, wounds, region }: WoundResult): string[] {
  if (!woundDetected) return ['no wound was found in this photo, which never means that it has healed'];
  const wound = wounds[region === undefined ? 0 : (region.outline ?? -1)];
  const others = wounds.filter((one) => one !== wound).length;
  return [
    ...(wound === undefined ? [] : [`area ${areaOf(wound)}`]),
    ...(others === 0 ? [] : [`other outlines ${others}, not in that area`]),
  ];
}

function areaOf({ area: { cm2, pixels } }: WoundMeasurement): string {
  if (cm2 === null) return `${Math.round(pixels)} pixels, no scale`;
  return `${cm2.value} cm2 (${cm2.lower} to ${cm2.upper})`;
}

function doubtsOf({ quality, familiarity }: WoundResult): string[] {
  return [
    ...(quality.acceptable ? [] : ['the photo is not acceptable: take another one, and do not use this area']),
    ...(familiarity?.outlineReliable === false ? ['the outline is more likely wrong than right: check it'] : []),
    ...(quality.warnings.length === 0 ? [] : [`warnings ${quality.warnings.join(', ')}`]),
  ];
}

function nextOf(report: string | undefined): string {
  const address = report === undefined ? 'its report' : `${report}/reviews`;
  return `until a person accepts, corrects, rejects or reassigns it (POST ${address}, or at the review desk), the wound's course goes on without it`;
}
