import { SuturaError } from '../errors/sutura-error.js';
import type { AnalysisJob, JobRequest, JobSubject } from './analysis-job.js';

/** What is asked for, with the patient and the photo as they are kept. */
export type AskedJob = Pick<JobRequest, 'subject' | 'mmPerPixel' | 'clinicianObservations' | 'source'> & {
  readonly patientId: string | null;
  readonly imageId: string;
  /** The outcome that it asks for in the test environment; absent: none. Another one is another question. */
  readonly sandbox?: string | undefined;
};

/**
 * The job that a request asks for once more: of the same bytes and the same moment (`candidates`, oldest first), for the same wound. null: there is
 * none. `job.repeated`, naming that job, where its scale or what the clinician observed differs.
 *
 * The same upload is analysed anew where it is asked for otherwise, or over FHIR, where an analysis is asked for by itself: somebody has the photo and
 * wants another result. Bytes that were sent again are a sender that did not learn what became of them.
 */
export function findRepeated(candidates: readonly AnalysisJob[], asked: AskedJob): AnalysisJob | null {
  for (const job of candidates) {
    if (job.status === 'error' || job.patientId !== asked.patientId || job.sandbox !== asked.sandbox) continue;
    if (!isSameWound(job.subject, asked.subject)) continue;
    const isSame =
      job.mmPerPixel === asked.mmPerPixel && textOf(job.clinicianObservations) === textOf(asked.clinicianObservations);
    if (job.imageId === asked.imageId) {
      if (isSame && asked.source === 'rest') return job;
      continue;
    }
    if (!isSame)
      throw new SuturaError('job.repeated', {
        detail: `This photo of this wound and moment is analysed already, with another scale or other observations, by job ${job.id}. Read that one; its report is corrected by a review.`,
      });
    return job;
  }
  return null;
}

/** Without a number a wound is told apart by its place alone: one photo may show two. Where it lies in the photo, said anew, is another question. */
export function isSameWound(one: JobSubject | null, other: JobSubject | null): boolean {
  if (one?.woundId !== other?.woundId || (one?.woundIdSystem ?? '') !== (other?.woundIdSystem ?? '')) return false;
  if (textOf(one?.region ?? null) !== textOf(other?.region ?? null)) return false;
  return (
    one?.woundId !== undefined ||
    (one?.laterality === other?.laterality && textOf(one?.bodySite ?? null) === textOf(other?.bodySite ?? null))
  );
}

/** The same text for the same content, whatever the order of its keys. */
function textOf(value: object | null): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner !== 'object' || inner === null || Array.isArray(inner)
      ? inner
      : Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1))),
  );
}
