import type { ReportReading } from '../../core/report/clinical-report.js';
import type { Language } from '../wording/language.js';
import type { Fact } from './document-blocks.js';
import { asGiven } from './given-text.js';
import { penOf, timeZoneOf } from './report-document.js';
import { identityFacts } from './subject-section.js';

/** Who and which wound a report is about: for the head of a page. */
export interface ReportBanner {
  /** Person, number, birth date, facility, wound, site, side, type; each as the records say now. */
  readonly facts: readonly Fact[];
  /** As the sender gave it, with its line breaks; null: nothing was sent. */
  readonly clinicalContext: string | null;
}

/** In the same words as the report's first page. */
export function bannerOf(reading: ReportReading, language: Language): ReportBanner {
  const pen = penOf(language, timeZoneOf(reading));
  const { content } = reading.report;
  const context = asGiven(content.clinicalContext ?? '');
  const plain = (text: string) => text.replaceAll('\u00a0', ' ');
  return {
    facts: identityFacts(pen, reading).map(({ label, value }) => ({ label: plain(label), value: plain(value) })),
    clinicalContext: context === '' ? null : context,
  };
}
