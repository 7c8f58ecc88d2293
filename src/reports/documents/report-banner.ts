import type { ReportReading } from '../../core/report/clinical-report.js';
import type { Language } from '../wording/language.js';
import type { Fact } from './document-blocks.js';
import { asGiven } from './given-text.js';
import { penOf, timeZoneOf } from './report-document.js';
import { identityFacts, shortIdentityFacts } from './subject-section.js';

/** Who and which wound a report is about: for the head of a page. */
export interface ReportBanner {
  /** Person, number, birth date, facility, wound, site, side, type; each as the records say now. */
  readonly facts: readonly Fact[];
  /** As the sender gave it, with its line breaks; null: nothing was sent. */
  readonly clinicalContext: string | null;
}

/** In the same words as the report's first page. */
export function bannerOf(reading: ReportReading, language: Language): ReportBanner {
  return bannerWith(identityFacts, reading, language);
}

/** For a page that stands beside another one which says whose chart it is: name and number alone, and all of the wound. */
export function shortBannerOf(reading: ReportReading, language: Language): ReportBanner {
  return bannerWith(shortIdentityFacts, reading, language);
}

function bannerWith(factsOf: typeof identityFacts, reading: ReportReading, language: Language): ReportBanner {
  const pen = penOf(language, timeZoneOf(reading));
  const { content } = reading.report;
  const context = asGiven(content.clinicalContext ?? '');
  const plain = (text: string) => text.replaceAll('\u00a0', ' ');
  return {
    facts: factsOf(pen, reading).map(({ label, value }) => ({ label: plain(label), value: plain(value) })),
    clinicalContext: context === '' ? null : context,
  };
}
