import type { AssessmentInSeries } from '../followup/series-order.js';
import type { ClinicalReport, ReportContent, ReportFigures } from './clinical-report.js';
import { isConfirmed } from './review.js';
import { isSameJson } from './same-content.js';

/** An assessment, of a whole report or of its figures; figures know neither the kind of wound nor signs of infection. */
export function toAssessment({ id, jobId, imageId, content }: ClinicalReport | ReportFigures): AssessmentInSeries {
  const whole = 'review' in content ? content : null;
  return {
    reportId: id,
    jobId,
    imageId,
    capturedAt: new Date(content.capturedAt),
    capturedAsStated: content.capturedAsStated,
    findings: content.findings,
    stated: content.stated,
    otherUses: content.otherUses,
    reviewed: 'review' in content ? isConfirmed(content.review) : content.reviewed,
    isFormReplaced: whole !== null && isFormReplaced(whole),
    woundType: whole?.subject.woundType ?? null,
    observations: whole?.clinicianObservations ?? null,
    ageGroupSaid: content.comparison.ageGroup,
    isReviewAsked: whole?.sandbox === 'needs_review' || content.comparison.attention.includes('sandbox'),
    wasBeforeBirth: content.comparison.attention.includes('before_birth'),
  };
}

/** Of what an older release wrote no more is known than that the last review corrected the report, perhaps its form. */
export function isFormReplaced({ formReplaced, review, clinicianObservations }: ReportContent): boolean {
  return formReplaced ?? (review?.decision === 'correct' && clinicianObservations !== null);
}

/**
 * The same by all versions, oldest first: an outline that an older release corrected puts no form in place, and what such a release wrote after a form had
 * been put in place takes that not back.
 */
export function hasReplacedForm(versions: readonly ClinicalReport[]): boolean {
  return versions.some(({ content }, place) => {
    const before = versions[place - 1]?.content;
    if (content.formReplaced !== undefined || before === undefined) return content.formReplaced === true;
    const isOtherForm = !isSameJson(content.clinicianObservations, before.clinicianObservations);
    return content.review?.decision === 'correct' && isOtherForm;
  });
}
