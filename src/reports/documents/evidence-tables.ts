import type { ClinicalEvent } from '../../core/followup/clinical-event.js';
import type { ClinicalReport } from '../../core/report/clinical-report.js';
import { isSigned, type EvidenceGap, type WoundEvidence } from '../../core/report/wound-evidence.js';
import { paragraph, type Block, type Pen, type Section } from './document-blocks.js';
import { asGiven, oneLine } from './given-text.js';
import { tissueCell, tissueLegend, tissueLetters } from './tissue-section.js';
import { areaText } from './wounds-section.js';

/** A line for each photo of the period: area, depth, pockets, tissue, and who signed. */
export function assessmentTable(pen: Pen, reports: readonly ClinicalReport[]): Block[] {
  const { say, figures } = pen;
  if (reports.length === 0) return [paragraph(say('course.none'))];
  return [
    {
      kind: 'table',
      columns: [
        say('subject.capturedAt'),
        say('evidence.size'),
        say('evidence.depth'),
        say('evidence.pockets'),
        tissueLetters(pen),
        say('evidence.signedBy'),
      ],
      rows: reports.map((report) => [
        figures.captured(report.content),
        areaCell(pen, report),
        depthCell(pen, report),
        pocketsCell(pen, report),
        tissueCell(pen, report.content.findings.tissue),
        signedCell(pen, report),
      ]),
      widths: [32, 36, 24, 34, 38, 32],
    },
    paragraph(tissueLegend(pen)),
  ];
}

function areaCell(pen: Pen, { content }: ClinicalReport): string {
  const { say } = pen;
  const { findings, comparison } = content;
  if (findings.figures === null) return say('course.noWound');
  // The interval may stand on a line of its own: the column is narrow.
  const area = areaText(pen, findings.figures).replace('\u00a0(', ' (');
  if (comparison.attention.length > 0) return say('evidence.waits', { area });
  return findings.ambiguous && findings.figures.area.cm2 !== null ? say('course.ambiguous', { area }) : area;
}

function depthCell({ say, figures }: Pen, { content }: ClinicalReport): string {
  const { depthCm, statedAt } = content.clinicianObservations ?? {};
  if (depthCm === undefined) return say('evidence.notStated');
  const value = figures.lengthAsGiven(depthCm);
  const otherDay = statedAt?.depthCm;
  return otherDay === undefined ? value : say('evidence.on', { value, date: figures.stated(otherDay) });
}

function pocketsCell({ say, figures }: Pen, { content }: ClinicalReport): string {
  const { undermining = [], tunnelling = [] } = content.clinicianObservations ?? {};
  const pockets = [
    ...undermining.map(({ fromClock, toClock, depthCm }) => {
      const from = figures.number(fromClock);
      const depth = figures.lengthAsGiven(depthCm);
      return toClock === undefined
        ? say('observation.underminingAt', { at: from, depth })
        : say('observation.undermining', { from, to: figures.number(toClock), depth });
    }),
    ...tunnelling.map(({ clock, depthCm }) =>
      say('observation.tunnel', { at: figures.number(clock), depth: figures.lengthAsGiven(depthCm) }),
    ),
  ];
  return pockets.length === 0 ? say('evidence.notStated') : pockets.join(' ');
}

function signedCell({ say, figures }: Pen, report: ClinicalReport): string {
  const { review } = report.content;
  return review === null || !isSigned(report)
    ? say('evidence.unsigned')
    : `${oneLine(review.reviewer.name)}, ${figures.day(review.reviewedAt)}`;
}

export function eventTable({ say, figures }: Pen, events: readonly ClinicalEvent[]): Block[] {
  if (events.length === 0) return [paragraph(say('evidence.noEvents'))];
  return [
    {
      kind: 'table',
      columns: [say('evidence.eventDate'), say('evidence.event'), say('evidence.eventNote'), say('evidence.eventBy')],
      rows: events.map(({ type, occurredAt, note, by }) => [
        figures.day(occurredAt),
        say(`event.${type}`),
        oneLine(note ?? say('change.none')),
        oneLine(by?.name ?? say('change.none')),
      ]),
      widths: [3, 4, 7, 4],
    },
  ];
}

/** What came with each photo in free words: treatment often stands in it. */
export function statedContexts({ say, figures }: Pen, reports: readonly ClinicalReport[]): Block[] {
  const quoted = reports.flatMap(({ content }): Block[] => {
    const text = asGiven(content.clinicalContext ?? '');
    return text === '' ? [] : [paragraph(figures.captured(content)), { kind: 'quotation', text }];
  });
  return quoted.length === 0 ? [] : [paragraph(`${say('section.statedContext')}${say('colon')}`.trim()), ...quoted];
}

/** The report and version behind each line, its status and who signed. */
export function pageOf(pen: Pen, reports: readonly ClinicalReport[]): Section {
  const { say, figures } = pen;
  if (reports.length === 0) return { heading: say('section.sources'), blocks: [paragraph(say('course.none'))] };
  return {
    heading: say('section.sources'),
    blocks: [
      {
        kind: 'table',
        columns: [say('subject.capturedAt'), say('course.sourceReport'), say('about.status'), say('evidence.signedBy')],
        rows: reports.map((report) => [
          figures.captured(report.content),
          `${report.id},\u00a0${report.version}`,
          say(`status.${report.status}`),
          signedCell(pen, report),
        ]),
        widths: [4, 6, 3, 5],
      },
    ],
  };
}

/** What is missing, in sentences. */
export function gapTexts(pen: Pen, { missing, reports, issuedAt }: WoundEvidence): string[] {
  return missing.map((gap) => gapText(pen, gap, reports, issuedAt));
}

function gapText(
  { say, figures }: Pen,
  { code, between, reportIds = [] }: EvidenceGap,
  reports: readonly ClinicalReport[],
  issuedAt: Date,
): string {
  const dates = reports.filter(({ id }) => reportIds.includes(id)).map(({ content }) => figures.capturedDay(content));
  return say(`gap.${code}`, {
    from: between === undefined ? '' : figures.day(between.from),
    to: between === undefined ? '' : figures.day(between.to),
    date: figures.day(issuedAt),
    dates: [...new Set(dates)].join('; '),
  });
}
