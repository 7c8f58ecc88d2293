import { lowerThreadPriority } from '../../platform/background-priority.js';
import { ReportRenderer } from './report-renderer.js';

type RenderArguments = Parameters<ReportRenderer['render']>;
type RenderCourseArguments = Parameters<ReportRenderer['renderCourse']>;
type RenderCardsArguments = Parameters<ReportRenderer['renderCards']>;

/** A document for a thread to render; plain data, so that it can be copied between threads. */
export type RenderTask =
  | { readonly report: RenderArguments }
  | { readonly course: RenderCourseArguments }
  | { readonly cards: RenderCardsArguments };

lowerThreadPriority();
const renderer = new ReportRenderer();

/** Runs in a thread of its own: setting a document takes longer than a poll may wait. */
export default function renderDocument(task: RenderTask): Promise<Uint8Array> {
  if ('report' in task) return renderer.render(...task.report);
  return 'course' in task ? renderer.renderCourse(...task.course) : renderer.renderCards(...task.cards);
}
