import type { Verdict } from '../../core/followup/course.js';
import type { ReportContent, ReportReading } from '../../core/report/clinical-report.js';
import type { Language } from '../wording/language.js';
import { courseText, reasonText } from './course-section.js';
import { observationSection } from './clinician-sections.js';
import type { Block, Fact, Pen } from './document-blocks.js';
import { flagSection } from './flag-section.js';
import { penOf, timeZoneOf } from './report-document.js';

/** What a screen says of the course before anything else, in the sentences of the printed report, so that neither is kinder. */
export interface CourseTold {
  /** null: by rules that had none. */
  readonly verdict: Verdict | null;
  /** The verdict with the names of its reasons. */
  readonly headline: string;
  /** From when on the verdict holds; null where nothing is known. */
  readonly since: string | null;
  /** What waits for a person, and what else to mind before the figures are used. */
  readonly notices: readonly string[];
  /** What is worse or stays, with its figures. */
  readonly points: readonly string[];
  /** What is better, with its figures; nothing while it is not known how the wound is. */
  readonly better: readonly string[];
  /** What a person stated of the wound, as the printed report has it; null: nothing. */
  readonly stated: StatedTold | null;
}

export interface StatedTold {
  readonly facts: readonly Fact[];
  /** Undermining, tunnels, the person's own words, and what was stated on another day. */
  readonly lines: readonly string[];
}

export function tellCourse(reading: Pick<ReportReading, 'report' | 'heading'>, language: Language): CourseTold {
  const pen = penOf(language, timeZoneOf(reading));
  const { content } = reading.report;
  const { course } = content.comparison;
  const { blocks } = flagSection(pen, content);
  return {
    verdict: course?.verdict ?? null,
    headline: course === undefined ? pen.say('verdict.unknown') : courseText(pen, content.comparison),
    since:
      course === undefined || course.verdict === 'unknown'
        ? null
        : pen.say('verdict.since', { date: pen.figures.day(course.since) }),
    notices: blocks.flatMap((block) => (block.kind === 'notice' ? [block.text] : [])),
    points: blocks.flatMap(itemsOf),
    better: (course === undefined || course.verdict === 'unknown' ? [] : course.because)
      .filter(({ direction }) => direction === 'better')
      .map((reason) => reasonText(pen, reason)),
    stated: statedTold(pen, content.clinicianObservations),
  };
}

function statedTold(pen: Pen, given: ReportContent['clinicianObservations']): StatedTold | null {
  const section = observationSection(pen, given);
  if (section === null) return null;
  return {
    facts: section.blocks.flatMap((block) => (block.kind === 'facts' ? block.facts : [])),
    lines: section.blocks.flatMap((block) => ('text' in block ? block.text.split('\n') : itemsOf(block))),
  };
}

function itemsOf(block: Block): readonly string[] {
  return block.kind === 'list' || block.kind === 'numbered' ? block.items : [];
}
