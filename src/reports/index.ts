/** The part of reports that the doors (api-v1, fhir, hl7v2) may use. */
export { reportTitle, summarizeReport } from './documents/report-document.js';
export { ReportRenderer } from './rendering/report-renderer.js';
export { evidenceNarratives, evidenceTitles, type EvidenceNarrative } from './rendering/evidence-narratives.js';
export { conceptWordsIn } from './documents/report-document.js';
export { REPORT_PAGE_POLICY } from './html/render-html.js';
export { ReportsModule } from './reports.module.js';
export { ReportRenderingModule } from './report-rendering.module.js';
export { chooseLanguage, LANGUAGES, type Language } from './wording/language.js';
export { toReportResources, type ReportResources } from './diagnostic-report/to-diagnostic-report.js';
export type { RenderingContext } from './diagnostic-report/rendering-context.js';
export { assessmentBefore, deviceId, observationId, toConcept } from './diagnostic-report/observation-base.js';
export { concept as conceptOf } from './diagnostic-report/rendering-context.js';
export * from './terminology/codes.js';
export * from './terminology/clinician-codes.js';
export * from './terminology/finding-codes.js';
export * from './terminology/follow-up-codes.js';
export * from './terminology/ai-transparency.js';
