import type { ClinicalReport, ReportPicture } from '../../core/report/clinical-report.js';
import { isSigned, type WoundEvidence } from '../../core/report/wound-evidence.js';
import type { Language } from '../wording/language.js';
import {
  facts,
  notice,
  paragraph,
  type Block,
  type Pen,
  type ReportDocument,
  type Section,
} from './document-blocks.js';
import { assessmentTable, eventTable, gapTexts, pageOf, statedContexts } from './evidence-tables.js';
import { rangeText } from './measurement-section.js';
import { DEFAULT_PAPER, type Paper } from './paper.js';
import { sideBySide } from './photo-section.js';
import { penOf, timeZoneOf } from './report-document.js';
import { courseSubjectSection, identityLine } from './subject-section.js';

/** A photo of the period; null: it was deleted. */
export interface EvidencePicture {
  readonly reportId: string;
  readonly picture: ReportPicture | null;
}

/** The parts of the page, as a FHIR document has them too. */
export type EvidencePart = 'overPeriod' | 'missing' | 'assessments' | 'treatment' | 'reports';

/** What is known of a wound over some weeks, and what is missing of it. Without `pictures` nothing is said of photos. */
export function toEvidenceDocument(
  evidence: WoundEvidence,
  pictures: readonly EvidencePicture[] | null,
  language: Language,
  paper: Paper = DEFAULT_PAPER,
): ReportDocument {
  const pen = penOf(language, timeZoneOf(evidence));
  const { say, figures } = pen;
  const { subject, heading, reports, issuedAt } = evidence;
  const parts = evidenceParts(pen, evidence);
  const researchOnly = reports.some(({ content }) => content.models.some((model) => model.researchOnly));
  return {
    language,
    title: say('title.evidence'),
    identity: identityLine(pen, subject, heading),
    mark: reports.every(isSigned) ? null : say('mark.coursePreliminary'),
    banner: {
      label: say('about.fromTo', { from: figures.moment(evidence.from), to: figures.moment(evidence.to) }),
      lines: [
        reports.length === 0
          ? say('evidence.none')
          : say('evidence.signed', {
              signed: figures.number(reports.filter(isSigned).length),
              count: figures.number(reports.length),
            }),
        ...(researchOnly ? [say('notice.researchOnly')] : []),
      ],
    },
    footer: say('page.evidenceFooter', { id: subject.woundRef }),
    notice: say('notice.decisionSupport'),
    issuedAt,
    paper,
    sheets: [
      {
        heading: null,
        sections: [
          courseSubjectSection(pen, evidence),
          parts.overPeriod,
          parts.missing,
          parts.assessments,
          parts.treatment,
          ...(pictures === null || pictures.length === 0 ? [] : [photosOf(pen, pictures, reports)]),
          parts.reports,
          aboutSection(pen, evidence),
        ],
      },
    ],
  };
}

/** The sections without pictures and without who it is about. */
export function evidenceParts(pen: Pen, evidence: WoundEvidence): Readonly<Record<EvidencePart, Section>> {
  const { say } = pen;
  const gaps = gapTexts(pen, evidence);
  return {
    overPeriod: { heading: say('section.overPeriod'), blocks: changeBlocks(pen, evidence) },
    missing: {
      heading: say('section.missing'),
      blocks: gaps.length === 0 ? [paragraph(say('evidence.nothingMissing'))] : [{ kind: 'list', items: gaps }],
    },
    assessments: { heading: say('section.assessments'), blocks: assessmentTable(pen, evidence.reports) },
    treatment: {
      heading: say('section.treatment'),
      blocks: [...eventTable(pen, evidence.events), ...statedContexts(pen, evidence.reports)],
    },
    reports: pageOf(pen, evidence.reports),
  };
}

function changeBlocks(pen: Pen, { change: told }: WoundEvidence): Block[] {
  const { say, figures } = pen;
  if (told === null) return [notice(say('evidence.noChange'))];
  const { first, last, change } = told;
  const interval = change.areaPctInterval;
  const range =
    interval === undefined
      ? ''
      : say('flag.interval', {
          range: say('range', {
            lower: figures.signedPercent(interval.lower),
            upper: figures.signedPercent(interval.upper),
          }),
        });
  const reasons = change.warnings.map((warning) => say(`warning.${warning}`)).join(' ');
  return [
    ...(reasons === '' ? [] : [notice(say('evidence.notComparable', { reasons }))]),
    facts(
      { label: say('evidence.from'), value: areaOf(pen, first) },
      { label: say('evidence.to'), value: areaOf(pen, last) },
      { label: say('evidence.change'), value: `${figures.signedPercent(change.areaPct)}${range}` },
      { label: say('evidence.time'), value: figures.days(change.days) },
      { label: say('evidence.detectable'), value: figures.percent(change.minimalDetectableChangePct) },
    ),
  ];
}

/** Only of a report whose area stands in the series. */
function areaOf(pen: Pen, { content }: ClinicalReport): string {
  const area = content.findings.figures?.area.cm2;
  if (!area) return pen.say('evidence.notMeasured');
  return pen.say('evidence.areaOf', {
    area: pen.figures.areaWithin(area),
    range: rangeText(pen, area, 'cm2'),
    date: pen.figures.capturedDay(content),
  });
}

function photosOf(pen: Pen, pictures: readonly EvidencePicture[], reports: readonly ClinicalReport[]): Section {
  const { say, figures } = pen;
  const shown = pictures.flatMap(({ reportId, picture }) => {
    const report = reports.find(({ id }) => id === reportId);
    return picture === null || report === undefined ? [] : [{ picture, report }];
  });
  const more =
    shown.length < reports.length
      ? [
          paragraph(
            say('evidence.morePhotos', {
              shown: figures.number(shown.length),
              count: figures.number(reports.length),
            }),
          ),
        ]
      : [];
  return { heading: say('section.photos'), blocks: [...sideBySide(pen, shown), ...more] };
}

function aboutSection({ say, figures }: Pen, { issuedAt, subject }: WoundEvidence): Section {
  return {
    heading: say('section.about'),
    blocks: [
      facts(
        { label: say('about.issuedAt'), value: figures.moment(issuedAt) },
        { label: say('about.woundRef'), value: subject.woundRef },
      ),
      paragraph(say('evidence.basis')),
      paragraph(say('limit.interval')),
      paragraph(`${say('notice.decisionSupport')}.`),
    ],
  };
}
