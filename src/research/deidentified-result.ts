import { ClinicalTime } from '../core/times/clinical-time.js';
import type { AssessmentFindings } from '../core/followup/assessment.js';
import type { PhotoQuality, ScaleUsed, WoundFigures } from '../core/measurement/wound-result.js';
import { isConfirmed } from '../core/report/review.js';
import type { ClinicalReport } from '../core/report/clinical-report.js';
import type { TissueComposition } from '../core/tissue/tissues.js';
import type { Pseudonyms } from './pseudonyms.js';
import type { ResearchRecord } from './research-records.js';

/** Who answers for the outline: `model` alone, a person who accepted it, or a person who drew or chose it. */
export type LabelSource = 'model' | 'accepted' | 'corrected';

/** All that leaves of a result: figures and pseudonyms. What is not named here stays, texts, codes and identifiers among it. */
export interface DeidentifiedResult {
  /** The name of photo and mask, before their type. */
  readonly id: string;
  readonly patient: string;
  readonly wound: string;
  /** Shifted; the days between two photos of one patient are right. */
  readonly takenOn: string;
  readonly label: LabelSource;
  readonly photo: AssessmentFindings['photo'];
  readonly woundDetected: boolean;
  readonly figures: WoundFigures | null;
  readonly tissue: TissueComposition | null;
  readonly confidence: number | null;
  readonly outlineReliable: boolean | null;
  readonly quality: PhotoQuality;
  readonly scale: Pick<ScaleUsed, 'source' | 'mmPerPixel' | 'uncertaintyPct'>;
  /** `name/version` */
  readonly model: string;
}

export function deidentified(
  { patientId, woundId, imageId }: ResearchRecord,
  { content }: Pick<ClinicalReport, 'content'>,
  names: Pseudonyms,
): DeidentifiedResult {
  const { findings, capturedAt, capturedAsStated } = content;
  const taken = ClinicalTime.read(capturedAsStated ?? capturedAt)!;
  const { source, mmPerPixel, uncertaintyPct } = findings.scale;
  // A wound without a patient has a course of its own.
  const patient = patientId ?? woundId;
  return {
    id: names.nameOf('photo', imageId),
    patient: names.nameOf('patient', patient),
    wound: names.nameOf('wound', woundId),
    takenOn: names.dayOf(patient, taken.dayIn('UTC') ?? taken.text),
    label: labelOf(content),
    photo: findings.photo,
    woundDetected: findings.woundDetected,
    figures: findings.figures,
    tissue: findings.tissue,
    confidence: findings.confidence,
    outlineReliable: findings.familiarity?.outlineReliable ?? null,
    quality: findings.quality,
    scale: { source, mmPerPixel, uncertaintyPct },
    model: findings.model,
  };
}

function labelOf({ findings, review }: ClinicalReport['content']): LabelSource {
  if (findings.outlineSource !== 'model') return 'corrected';
  return isConfirmed(review) ? 'accepted' : 'model';
}
