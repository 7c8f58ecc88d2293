import type { AssessmentFindings } from '../../core/followup/assessment.js';
import { TISSUES, tissuesOf, type Tissue, type TissueComposition } from '../../core/tissue/tissues.js';
import type { Block, Pen, Section } from './document-blocks.js';

/** The shares of the tissues; null where no tissue was told apart. */
export function tissueSection(pen: Pen, { tissue }: AssessmentFindings): Section | null {
  return tissue === null ? null : { heading: pen.say('section.tissue'), blocks: [sharesOf(pen, tissue)] };
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
