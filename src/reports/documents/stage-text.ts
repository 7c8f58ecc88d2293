import type { WoundStage } from '../../core/analysis/wound-stage.js';
import type { Pen } from './document-blocks.js';

/** A stage in the words of its system. */
export function stageText(say: Pen['say'], { system, value }: Pick<WoundStage, 'system' | 'value'>): string {
  switch (system) {
    case 'wagner':
      return say('stage.wagner', { value });
    case 'texas':
      return say('stage.texas', { grade: value.charAt(0), letter: value.charAt(1) });
    case 'pressure':
      return value === 'unstageable' || value === 'suspected_deep_tissue_injury' || value === 'mucosal'
        ? say(`stage.${value}`)
        : say('stage.pressure', { value });
  }
}
