import type { AssessmentFindings } from '../../core/followup/assessment.js';
import { TISSUES, tissuesOf, type Tissue, type TissueComposition } from '../../core/tissue/tissues.js';
import type { ModelUsed } from '../../core/measurement/wound-result.js';
import { paragraph, type Block, type Pen, type Section } from './document-blocks.js';

/** The shares of the tissues, or why an outlined wound has none: a gap would pass for a bed without slough and necrosis. null: nothing is outlined. */
export function tissueSection(pen: Pen, findings: AssessmentFindings, models: readonly ModelUsed[]): Section | null {
  const { tissue, woundDetected } = findings;
  if (!woundDetected) return null;
  const block = tissue === null ? paragraph(pen.say(`tissue.none.${gapOf(findings, models)}`)) : sharesOf(pen, tissue);
  return { heading: pen.say('section.tissue'), blocks: [block] };
}

/** Why there are no shares. Results from before each model said its task name no model of the tissue. */
function gapOf(
  { outlineSource, outlines }: AssessmentFindings,
  models: readonly ModelUsed[],
): 'outline' | 'several' | 'model' | 'unknown' {
  if (outlineSource === 'reviewer_contour') return 'outline';
  if (outlines.length > 1) return 'several';
  const isToldByTask = models.some(({ task }) => task !== undefined);
  return isToldByTask && models.every(({ task }) => task !== 'tissue-segmentation') ? 'model' : 'unknown';
}

function sharesOf({ say, figures }: Pen, tissue: TissueComposition): Block {
  const shares = tissuesOf(tissue).map((name) => ({
    tissue: name,
    label: say(name === 'other' && tissue.method.other === 'clinician' ? 'tissue.otherStated' : `tissue.${name}`),
    share: tissue[name],
    shareText: figures.share(tissue[name]),
    method: say(`method.${tissue.method[name]}`),
  }));
  return { kind: 'shares', columns: [say('tissue.tissue'), say('tissue.share'), say('tissue.method')], shares };
}

/** The head of a column of shares: a letter for each tissue. */
export function tissueLetters(pen: Pen): string {
  return TISSUES.map((name) => letterOf(pen, name)).join(' / ');
}

/** What the letters mean. */
export function tissueLegend({ say }: Pen): string {
  return say('tissue.legend', { tissues: TISSUES.map((name) => say(`tissue.legend.${name}`)).join(', ') });
}

/** The shares in the order of their letters. */
export function tissueCell({ say, figures }: Pen, shares: TissueComposition | null): string {
  if (shares === null) return say('change.none');
  return TISSUES.map((name) => (name in shares ? figures.bareShare(shares[name]) : say('change.none'))).join(
    '\u00a0/\u00a0',
  );
}

/** A legend begins with the letter that it explains. */
function letterOf({ say }: Pen, tissue: Tissue): string {
  return say(`tissue.legend.${tissue}`).split(' ', 1)[0]!;
}
