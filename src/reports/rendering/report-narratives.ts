import type { ReportReading } from '../../core/report/clinical-report.js';
import { notice, paragraph, type Section } from '../documents/document-blocks.js';
import { toReportDocument } from '../documents/report-document.js';
import { isTold, toNarrative } from '../html/narrative.js';
import type { Language } from '../wording/language.js';

/** A section of a report for a FHIR document: its title, and its text as XHTML. */
export interface ReportNarrative {
  readonly title: string;
  readonly div: string;
}

/**
 * A report as sections of a FHIR document, in the order and the words of the paper; what it is worth (draft, released, withdrawn) comes first.
 * Pictures, the body map and the curve are left out: their figures stand in the words and tables beside them.
 */
export function reportNarratives(reading: ReportReading, language: Language): readonly ReportNarrative[] {
  const { title, mark, banner, notice: caution, sheets } = toReportDocument(reading, null, language);
  const worth: Section = {
    heading: title,
    blocks: [
      ...(mark === null ? [] : [notice(mark)]),
      paragraph(banner.label),
      ...banner.lines.map(paragraph),
      paragraph(caution),
    ],
  };
  return [worth, ...sheets.flatMap(({ sections }) => sections)]
    .filter(isTold)
    .map((section) => ({ title: section.heading.replaceAll('\u00a0', ' '), div: toNarrative(section) }));
}
