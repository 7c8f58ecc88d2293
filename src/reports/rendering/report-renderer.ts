import type { ReportReading } from '../../core/report/clinical-report.js';
import type { CardSize } from '../../core/calibration/calibration-card.js';
import type { CourseReport } from '../../core/report/clinical-report.js';
import type { ReportPictures } from '../../core/report/clinical-report.js';
import type { ReportFormat } from '../../core/report/report-document.js';
import type { WoundEvidence } from '../../core/report/wound-evidence.js';
import { renderHtml } from '../html/render-html.js';
import { renderText } from '../text/render-text.js';
import type { Language } from '../wording/language.js';
import { toCourseDocument, type CoursePictures } from '../documents/course-document.js';
import type { ReportDocument } from '../documents/document-blocks.js';
import { DEFAULT_PAPER, type Paper } from '../documents/paper.js';
import { toEvidenceDocument, type EvidencePicture } from '../documents/evidence-document.js';
import { toReportDocument } from '../documents/report-document.js';

/**
 * Sets reports, and the calibration card, as documents. The same report, pictures, format, language and paper always give the same bytes, and all formats the same figures.
 * The PDF code is loaded with the first PDF: a gateway renders in a thread, and need not load it itself.
 */
export class ReportRenderer {
  /** The report of one photo. Plain text is UTF-8 of at most 78 columns and says nothing of pictures. */
  render(
    reading: ReportReading,
    pictures: ReportPictures,
    format: ReportFormat,
    language: Language,
    paper: Paper = DEFAULT_PAPER,
  ): Promise<Uint8Array> {
    return set(toReportDocument(reading, format === 'text' ? null : pictures, language, paper), format);
  }

  /** All reports of one wound, in one document. */
  renderCourse(
    course: CourseReport,
    pictures: CoursePictures,
    format: ReportFormat,
    language: Language,
    paper: Paper = DEFAULT_PAPER,
  ): Promise<Uint8Array> {
    return set(toCourseDocument(course, format === 'text' ? null : pictures, language, paper), format);
  }

  /** What is known of a wound over some weeks, and what is missing of it. */
  renderEvidence(
    evidence: WoundEvidence,
    pictures: readonly EvidencePicture[],
    format: ReportFormat,
    language: Language,
    paper: Paper = DEFAULT_PAPER,
  ): Promise<Uint8Array> {
    return set(toEvidenceDocument(evidence, format === 'text' ? null : pictures, language, paper), format);
  }

  /** Calibration cards to print, as PDF: one A4 page a size. */
  async renderCards(sizes: readonly CardSize[]): Promise<Uint8Array> {
    const { drawCalibrationCard } = await import('../calibration-card/draw-calibration-card.js');
    return drawCalibrationCard(sizes);
  }
}

async function set(document: ReportDocument, format: ReportFormat): Promise<Uint8Array> {
  if (format === 'pdf') return (await import('../pdf/render-pdf.js')).renderPdf(document);
  return format === 'html' ? renderHtml(document) : renderText(document);
}
