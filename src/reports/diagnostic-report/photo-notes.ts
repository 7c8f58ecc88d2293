import type { AssessmentFindings } from '../../core/followup/assessment.js';
import type { Familiarity } from '../../core/measurement/wound-result.js';
import type { ReportContent } from '../../core/report/clinical-report.js';
import type { Pen } from '../documents/document-blocks.js';
import { childTexts } from '../documents/quality-section.js';

/** The photo's quality, and how far the model's outline can be trusted; a person's outline needs no such word. */
export function photoNotes(pen: Pen, content: ReportContent): { note?: { text: string }[] } {
  const { quality, familiarity, outlineSource } = content.findings;
  const { acceptable, warnings } = quality;
  const notes = [
    ...(acceptable ? [] : [pen.say('quality.poor')]),
    ...(warnings.length === 0 ? [] : [qualityText(pen, warnings)]),
    ...(familiarity && outlineSource === 'model' ? [trustIn(pen, familiarity)] : []),
    ...childTexts(pen, content),
  ];
  return notes.length === 0 ? {} : { note: notes.map((text) => ({ text })) };
}

/** What is wrong with the photo, in sentences. */
function qualityText({ say }: Pen, warnings: AssessmentFindings['quality']['warnings']): string {
  return say('note.quality', { warnings: warnings.map((warning) => say(`quality.${warning}`)).join(' ') });
}

function trustIn(
  { say, figures }: Pen,
  { expectedDice: { value, lower, upper }, outlineReliable }: Familiarity,
): string {
  const [likely, from, to] = [value, lower, upper].map((each) => figures.number(each)) as [string, string, string];
  const expected = say('note.overlap', { value: likely, lower: from, upper: to });
  return outlineReliable ? expected : `${expected} ${say('note.unreliable')}`;
}
