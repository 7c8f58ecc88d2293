import type { CodedConcept } from '../../core/analysis/analysis-job.js';
import type { ClinicalReport, ReportReading } from '../../core/report/clinical-report.js';
import type { ReportPictures } from '../../core/report/clinical-report.js';
import { figureFormatOf, plainMinus } from '../wording/figure-format.js';
import type { Language } from '../wording/language.js';
import { speak } from '../wording/wording.js';
import { changeSection } from './change-section.js';
import { contextSection, observationSection, reviewSection, signatureSection } from './clinician-sections.js';
import {
  facts,
  factOf,
  paragraph,
  type Pen,
  type ReportDocument,
  type Section,
  type Sheet,
} from './document-blocks.js';
import { sentWords } from './concept-words.js';
import { evidenceSection, flagSection } from './flag-section.js';
import { oneLine } from './given-text.js';
import { measurementSection, pushSection } from './measurement-section.js';
import { DEFAULT_PAPER, type Paper } from './paper.js';
import { comparedSection } from './photo-section.js';
import { qualitySection } from './quality-section.js';
import { identityLine, subjectSection, subjectSystemFacts, woundLine, type LabelledWound } from './subject-section.js';
import { summarySection, summarySentences } from './summary-section.js';
import { tissueSection } from './tissue-section.js';
import { areaSection, trendSection } from './trend-section.js';
import { woundsSection } from './wounds-section.js';

/** The IANA zone in which a document prints moments. */
export function timeZoneOf({ heading }: Pick<ReportReading, 'heading'>): string {
  return heading?.timeZone ?? 'UTC';
}

export function penOf(language: Language, timeZone: string): Pen {
  return { say: speak(language), figures: figureFormatOf(language, timeZone) };
}

/** A report in words and printed figures, before it is set as HTML, PDF or text. Without `pictures` nothing is said of photos. */
export function toReportDocument(
  reading: ReportReading,
  pictures: ReportPictures | null,
  language: Language,
  paper: Paper = DEFAULT_PAPER,
): ReportDocument {
  const pen = penOf(language, timeZoneOf(reading));
  const { report, presentVersion, heading } = reading;
  return {
    language,
    title: pen.say('title.report'),
    identity: identityLine(pen, report.content.subject, heading),
    mark: markOf(pen, report, presentVersion),
    banner: { label: pen.say(`status.${report.status}`), lines: statusLines(pen, report) },
    footer: pen.say('page.footer', { id: report.id, version: String(report.version) }),
    notice: pen.say('notice.decisionSupport'),
    issuedAt: report.issuedAt,
    paper,
    sheets: sheetsOf(pen, reading, pictures),
  };
}

/** What such a document is called. */
export function reportTitle(language: Language): string {
  return speak(language)('title.report').replaceAll('\u00a0', ' ');
}

/** What a concept says in one language: its words, the name of a site that its code is known for, or the code, called one; null: nothing. */
export function conceptWordsIn(language: Language, concept: CodedConcept): string | null {
  return sentWords(speak(language), concept);
}

/** Which wound of a patient, in one line. */
export function woundLabel(language: Language, wound: LabelledWound): string {
  return woundLine({ say: speak(language) }, wound).replaceAll('\u00a0', ' ');
}

/** The report in a few plain sentences, with days of an IANA zone, as messages carry it beside the document. */
export function summarizeReport(report: ClinicalReport, language: Language, timeZone: string): string {
  const pen = penOf(language, timeZone);
  const mark = markOf(pen, report, report.version);
  const sentences = [
    ...(mark === null ? [] : [`${mark}.`]),
    ...summarySentences(pen, report.content),
    `${pen.say('notice.decisionSupport')}.`,
  ];
  return plainMinus(sentences.join(' ').replaceAll('\u00a0', ' '));
}

/** What answers at once, what shows why, and all else that a reader may want to check. */
function sheetsOf(pen: Pen, reading: ReportReading, pictures: ReportPictures | null): Sheet[] {
  const { report, trend } = reading;
  const { content } = report;
  const { findings } = content;
  const sheet = (heading: string | null, sections: readonly (Section | null)[]): Sheet => ({
    heading,
    sections: sections.filter((section) => section !== null),
  });
  return [
    sheet(null, [
      subjectSection(pen, reading),
      summarySection(pen, content, pictures),
      // "None" would be a word for figures that nobody is to use.
      report.status === 'entered-in-error' ? null : flagSection(pen, content),
      signatureSection(pen, report),
    ]),
    sheet(null, secondPage(pen, reading, pictures)),
    sheet(pen.say('section.annex'), [
      contextSection(pen, content.clinicalContext),
      measurementSection(pen, findings),
      areaSection(pen, trend, report.id),
      qualitySection(pen, findings, content.comparison.ageGroup),
      evidenceSection(pen, content),
      // That nobody has reviewed it stands on the first page.
      content.review === null ? null : reviewSection(pen, content.review),
      aboutSection(pen, report),
    ]),
  ];
}

/** Photos, curve and comparison over the whole width, tissues and observations beside each other: so a usual report keeps to two pages. */
function secondPage(
  pen: Pen,
  { report, trend, events }: ReportReading,
  pictures: ReportPictures | null,
): (Section | null)[] {
  const { findings, comparison, clinicianObservations, models } = report.content;
  const narrow = (section: Section | null) => section && { ...section, isNarrow: true };
  return [
    pictures === null ? null : comparedSection(pen, pictures, comparison),
    trendSection(pen, trend, report, events),
    // The first page says that there is nothing to compare with yet.
    comparison.noTrendReason === null && comparison.sincePrevious === null
      ? null
      : changeSection(pen, comparison, trend),
    narrow(tissueSection(pen, findings, models)),
    narrow(observationSection(pen, clinicianObservations)),
    woundsSection(pen, findings),
    pushSection(pen, findings),
  ];
}

function markOf({ say }: Pen, report: ClinicalReport, presentVersion: number): string | null {
  const { status, replacedBy, version, content } = report;
  if (version < presentVersion) return say('mark.superseded', { version: String(presentVersion) });
  const { supersededBy } = content.comparison;
  if (supersededBy !== null && status !== 'entered-in-error') return say('mark.analysedAgain', { id: supersededBy });
  if (status === 'preliminary') return say('mark.preliminary');
  if (status !== 'entered-in-error') return null;
  return replacedBy === null ? say('mark.enteredInError') : say('mark.enteredInErrorReplaced', { id: replacedBy });
}

function statusLines(pen: Pen, report: ClinicalReport): string[] {
  const { say } = pen;
  const { status, reason, content } = report;
  const { review, models } = content;
  const unreviewed = review === null && (status === 'final' || status === 'amended');
  // An amended report says so itself.
  const recalculated = reason === 'recomputed' && review !== null && status !== 'amended';
  return [
    ...(unreviewed && status === 'final' ? [] : [say(`statusText.${status}`)]),
    ...(unreviewed ? [say('statusText.unreviewed')] : []),
    ...(recalculated ? [say('statusText.recalculated')] : []),
    ...(models.some(({ researchOnly }) => researchOnly) ? [say('notice.researchOnly')] : []),
    ...erasureLines(pen, report),
  ];
}

function erasureLines({ say, figures }: Pen, { imageId, content }: ClinicalReport): string[] {
  return (content.erasedPhotos ?? []).map((photo) =>
    say(photo.imageId === imageId ? 'photo.erased' : 'photo.earlierErased', { moment: figures.moment(photo.erasedAt) }),
  );
}

function aboutSection(pen: Pen, report: ClinicalReport): Section {
  const { say, figures } = pen;
  const { content, jobId, imageId } = report;
  const { models, findings, subject } = content;
  return {
    heading: say('section.about'),
    blocks: [
      facts(
        { label: say('about.report'), value: report.id },
        { label: say('about.version'), value: String(report.version) },
        { label: say('about.status'), value: say(`status.${report.status}`) },
        { label: say('about.issuedAt'), value: figures.moment(report.issuedAt) },
        factOf(say('about.supersededBy'), content.comparison.supersededBy),
        factOf(say('about.supersedes'), content.comparison.supersedes),
        factOf(say('about.replaces'), report.replaces),
        factOf(say('about.replacedBy'), report.replacedBy),
        ...subjectSystemFacts(pen, subject),
        { label: say('about.woundRef'), value: subject.woundRef },
        { label: say('about.job'), value: jobId },
        { label: say('about.image'), value: imageId },
        // After a change of models the outline may be from another one.
        models.some(({ name, version }) => `${name}/${version}` === findings.model)
          ? null
          : { label: say('about.outlineModel'), value: oneLine(findings.model) },
        ...models.map(({ name, version }) => ({ label: say('about.model'), value: oneLine(`${name} ${version}`) })),
      ),
      paragraph(`${say('notice.decisionSupport')}.`),
    ],
  };
}
