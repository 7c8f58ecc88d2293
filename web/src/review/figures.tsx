import { MEASURES } from '../../../src/core/measurement/measures.js';
import { Button } from '../shared/components/controls.js';
import { figuresOf, type LiveFigures } from './live-figures.js';
import type { WorkHistory } from './outline-history.js';
import type { DeskPart } from './desk-part.js';
import type { Report } from './types.js';
import { fill } from './words/words.js';

interface FiguresProps extends Pick<DeskPart, 'words' | 'language'> {
  readonly work: Pick<WorkHistory, 'outlines' | 'mmPerPixel'>;
  readonly report: Report;
  /** One outline more or fewer; absent or null: nothing is changed here. */
  readonly edit?: { readonly add: () => void; readonly remove: (index: number) => void } | null;
}

/** Each outline's figures with the bounds that the saved report will have: measured anew with each change, by the server's own code. */
export function Figures({ work, report, edit = null, words, language }: FiguresProps) {
  const hasScale = work.mmPerPixel !== null || report.findings.scale.mmPerPixel !== null;
  return (
    <>
      <div aria-live="polite">
        {hasScale ? null : <p className="hint">{words.noScale}</p>}
        {work.outlines.map((polygon, index) => (
          <OutlineFigures
            key={index}
            figures={figuresOf(polygon, index, { report, ...work }, { words, language })}
            number={work.outlines.length === 1 ? null : index + 1}
            words={words}
          />
        ))}
      </div>
      {edit === null ? null : (
        <details className="desk-outlines">
          <summary>{words.outline}</summary>
          <div className="desk-tools">
            <Button onPress={edit.add}>{words.addWound}</Button>
            {work.outlines.map((_, index) => (
              <Button key={index} onPress={() => edit.remove(index)}>
                {fill(words.removeWound, { outline: index + 1 })}
              </Button>
            ))}
          </div>
        </details>
      )}
    </>
  );
}

interface OutlineFiguresProps extends Pick<DeskPart, 'words'> {
  readonly figures: LiveFigures;
  /** As it stands on the photo; null: there is but one. */
  readonly number: number | null;
}

function OutlineFigures({ figures, number, words }: OutlineFiguresProps) {
  const name = number === null ? undefined : fill(words.outlineNumber, { outline: number });
  return (
    <dl className="desk-figures" aria-label={name}>
      {MEASURES.map((measure, place) => (
        <div key={measure} className="desk-figure">
          <dt>
            {name !== undefined && place === 0 ? `${name}: ` : ''}
            {words[measure]}
          </dt>
          <dd>
            {figures[measure].value}
            {figures[measure].range === null ? null : (
              <span className="hint desk-range"> {figures[measure].range}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
