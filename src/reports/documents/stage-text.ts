import type { WoundStage } from '../../core/analysis/wound-stage.js';
import type { Fact, Pen } from './document-blocks.js';
import { oneLine } from './given-text.js';

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

/** A stage with who stated it, and when, where that is not the time of the photo; null: none is stated. */
export function stageFact({ say, figures }: Pen, stage: WoundStage | null): Fact | null {
  if (stage === null) return null;
  const { statedBy, statedAt } = stage;
  const values = {
    stage: stageText(say, stage),
    name: statedBy === undefined ? '' : oneLine(statedBy),
    date: statedAt === undefined ? '' : figures.stated(statedAt),
  };
  const suffix = `${statedBy === undefined ? '' : 'By'}${statedAt === undefined ? '' : 'On'}` as const;
  const value = suffix === '' ? values.stage : say(`observation.stage${suffix}`, values);
  return { label: say('observation.stage'), value };
}
