import { lowerThreadPriority } from '../../platform/background-priority.js';
import { ReportRenderer } from './report-renderer.js';

type RenderArguments = Parameters<ReportRenderer['render']>;
type RenderCourseArguments = Parameters<ReportRenderer['renderCourse']>;
type RenderEvidenceArguments = Parameters<ReportRenderer['renderEvidence']>;
type RenderCardsArguments = Parameters<ReportRenderer['renderCards']>;

/** A document for a thread to render; plain data, so that it can be copied between threads. */
export type RenderTask =
  | { readonly report: RenderArguments }
  | { readonly course: RenderCourseArguments }
  | { readonly evidence: RenderEvidenceArguments }
  | { readonly cards: RenderCardsArguments };

lowerThreadPriority();
const renderer = new ReportRenderer();

/** Runs in a thread of its own: setting a document takes longer than a poll may wait. */
export default function renderDocument(task: RenderTask): Promise<Uint8Array> {
  if ('report' in task) return renderer.render(...task.report);
  if ('course' in task) return renderer.renderCourse(...task.course);
  return 'evidence' in task ? renderer.renderEvidence(...task.evidence) : renderer.renderCards(...task.cards);
}
