import type { AreaChange } from '../../core/followup/area-change.js';
import type { ClinicalReport } from '../../core/report/clinical-report.js';
import type { CourseReport } from '../../core/report/clinical-report.js';
import { isAreaDoubtful } from '../../core/report/photo-trust.js';
import { isConfirmed } from '../../core/report/review.js';
import type { ReportPicture } from '../../core/report/clinical-report.js';
import type { Language } from '../wording/language.js';
import { courseText } from './course-section.js';
import {
  facts,
  notice,
  paragraph,
  type Pen,
  type ReportDocument,
  type Section,
  type TableBlock,
} from './document-blocks.js';
import { courseFlagSection } from './flag-section.js';
import { oneLine } from './given-text.js';
import { DEFAULT_PAPER, type Paper } from './paper.js';
import { sideBySide } from './photo-section.js';
import { penOf, timeZoneOf } from './report-document.js';
import { courseSubjectSection, identityLine } from './subject-section.js';
import { tissueCell, tissueLegend, tissueLetters } from './tissue-section.js';
import { courseTrendSection } from './trend-section.js';
import { areaText as measuredArea } from './wounds-section.js';

/** The pictures of a course; null where there is none or the photo was deleted. */
export interface CoursePictures {
  readonly first: ReportPicture | null;
  readonly last: ReportPicture | null;
}

/** All assessments of a wound in words and printed figures, before they are set as HTML, PDF or text. Without `pictures` nothing is said of photos. */
export function toCourseDocument(
  course: CourseReport,
  pictures: CoursePictures | null,
  language: Language,
  paper: Paper = DEFAULT_PAPER,
): ReportDocument {
  const pen = penOf(language, timeZoneOf(course));
  const { say, figures } = pen;
  const { subject, heading, reports, issuedAt } = course;
  const preliminary = reports.some(({ status }) => status === 'preliminary');
  const researchOnly = reports.some(({ content }) => content.models.some((model) => model.researchOnly));
  const counted = `${say('about.count')}${say('colon')}${figures.number(reports.length)}`;
  const last = reports.at(-1);
  const told = last === undefined ? '' : courseText(pen, last.content.comparison);
  return {
    language,
    title: say('title.course'),
    identity: identityLine(pen, subject, heading),
    mark: preliminary ? say('mark.coursePreliminary') : null,
    banner: {
      label: told === '' ? counted : told,
      lines: [
        ...(told === '' ? [] : [counted]),
        `${say('about.period')}${say('colon')}${periodText(pen, course)}`,
        ...(researchOnly ? [say('notice.researchOnly')] : []),
      ],
    },
    footer: say('page.courseFooter', { id: subject.woundRef }),
    notice: say('notice.decisionSupport'),
    issuedAt,
    paper,
    sheets: [{ heading: null, sections: sectionsOf(pen, course, pictures).filter((section) => section !== null) }],
  };
}

function sectionsOf(pen: Pen, course: CourseReport, pictures: CoursePictures | null): (Section | null)[] {
  const { reports } = course;
  const start = [courseSubjectSection(pen, course), assessmentSection(pen, reports)];
  if (reports.length === 0) return [...start, aboutSection(pen, course)];
  return [
    ...start,
    courseTrendSection(pen, course),
    pictures === null ? null : photosOf(pen, pictures, reports),
    courseFlagSection(pen, reports),
    sourceSection(pen, reports),
    aboutSection(pen, course),
  ];
}

/** The first and the last photo at one scale: the same length of skin is as long in both. */
function photosOf(pen: Pen, { first, last }: CoursePictures, reports: readonly ClinicalReport[]): Section {
  const missing = missingText(pen, { first, last }, reports);
  const places = [
    { caption: 'first', picture: first, report: reports[0]! },
    // The one photo of a course is not shown twice.
    { caption: 'last', picture: reports.length > 1 ? last : null, report: reports.at(-1)! },
  ] as const;
  const shown = places.flatMap(({ picture, ...place }) => (picture === null ? [] : [{ ...place, picture }]));
  return {
    heading: pen.say('section.photos'),
    blocks: [...(missing === null ? [] : [notice(missing)]), ...sideBySide(pen, shown)],
  };
}

function missingText({ say }: Pen, { first, last }: CoursePictures, reports: readonly ClinicalReport[]): string | null {
  if (first === null && last === null) return say('photo.missingCourse');
  if (first === null) return say('photo.missingFirst');
  return last === null && reports.length > 1 ? say('photo.missingLast') : null;
}

function assessmentSection(pen: Pen, reports: readonly ClinicalReport[]): Section {
  const { say } = pen;
  const heading = say('section.assessments');
  if (reports.length === 0) return { heading, blocks: [paragraph(say('course.none'))] };
  const tissue = reports.some(({ content }) => content.findings.tissue !== null);
  const table: TableBlock = {
    kind: 'table',
    columns: [
      say('subject.capturedAt'),
      say('course.area'),
      say('course.sincePrevious'),
      say('course.sinceBaseline'),
      ...(tissue ? [tissueLetters(pen)] : []),
      say('about.status'),
    ],
    rows: reports.map((report) => assessmentRow(pen, report, tissue)),
    widths: tissue ? [40, 38, 27, 25, 38, 24] : [42, 44, 30, 30, 28],
  };
  const sums = reports.flatMap((report) => fromSumText(pen, report)).map(paragraph);
  return { heading, blocks: [table, ...(tissue ? [paragraph(tissueLegend(pen))] : []), ...sums] };
}

/** What the figures of a line rest on, where the line above is not it: of wounds that grew together their sum. */
function fromSumText({ say, figures }: Pen, { content }: ClinicalReport): string[] {
  const { previous } = content.comparison;
  if (previous?.sumOf === undefined || content.comparison.noTrendReason !== null) return [];
  const parts = previous.sumOf.map(({ areaCm2 }) => figures.areaCm2(areaCm2)).join(' + ');
  return [
    say('course.fromSum', { date: figures.captured(content), area: figures.areaCm2(previous.areaCm2.value), parts }),
  ];
}

function assessmentRow(pen: Pen, { status, content }: ClinicalReport, tissue: boolean): string[] {
  const { say, figures } = pen;
  const { findings, comparison } = content;
  return [
    figures.captured(content),
    areaText(pen, content),
    changeText(pen, comparison.sincePrevious),
    changeText(pen, comparison.sinceBaseline),
    ...(tissue ? [tissueCell(pen, findings.tissue)] : []),
    say(`status.${status}`),
  ];
}

function areaText(pen: Pen, { findings, review }: ClinicalReport['content']): string {
  const { say } = pen;
  const { figures: measured, ambiguous } = findings;
  if (measured === null) return say('course.noWound');
  const area = measuredArea(pen, measured);
  if (measured.area.cm2 === null) return area;
  if (ambiguous) return say('course.ambiguous', { area });
  return isAreaDoubtful(findings, isConfirmed(review)) ? say('course.doubtful', { area }) : area;
}

function changeText({ say, figures }: Pen, change: AreaChange | null): string {
  if (change === null) return say('change.none');
  const percent = figures.signedPercent(change.areaPct);
  return change.warnings.length === 0 ? percent : say('course.notComparable', { percent });
}

function reviewedText({ say, figures }: Pen, { review }: ClinicalReport['content']): string {
  return review === null
    ? say('course.notReviewed')
    : `${oneLine(review.reviewer.name)}, ${figures.day(review.reviewedAt)}`;
}

/** The report and version behind each line, and its reviewer. */
function sourceSection(pen: Pen, reports: readonly ClinicalReport[]): Section {
  const { say, figures } = pen;
  const rows = reports.map(({ id, version, content }) => [
    figures.captured(content),
    `${id},\u00a0${version}`,
    reviewedText(pen, content),
  ]);
  return {
    heading: say('section.sources'),
    blocks: [
      {
        kind: 'table',
        columns: [say('subject.capturedAt'), say('course.sourceReport'), say('course.reviewedBy')],
        rows,
        widths: [5, 7, 5],
      },
    ],
  };
}

function aboutSection(pen: Pen, course: CourseReport): Section {
  const { say, figures } = pen;
  const { subject, issuedAt, reports } = course;
  const models = [
    ...new Set(reports.flatMap(({ content }) => content.models.map(({ name, version }) => `${name} ${version}`))),
  ];
  return {
    heading: say('section.about'),
    blocks: [
      facts(
        { label: say('about.period'), value: periodText(pen, course) },
        { label: say('about.issuedAt'), value: figures.moment(issuedAt) },
        { label: say('about.woundRef'), value: subject.woundRef },
        ...models.map((model) => ({ label: say('about.model'), value: oneLine(model) })),
      ),
      paragraph(say('limit.interval')),
      paragraph(`${say('notice.decisionSupport')}.`),
    ],
  };
}

function periodText({ say, figures }: Pen, { from, to }: CourseReport): string {
  const [first, last] = [from, to].map((moment) => (moment === null ? '' : figures.moment(moment)));
  if (from === null) return to === null ? say('about.allPhotos') : say('about.to', { to: last! });
  return to === null ? say('about.from', { from: first! }) : say('about.fromTo', { from: first!, to: last! });
}
