import { MEASURES } from '../../../src/core/measurement/measures.js';
import { figuresOf } from './live-figures.js';
import type { WorkHistory } from './outline-history.js';
import type { DeskPart } from './report-panel.js';
import type { Report } from './types.js';

interface FiguresProps extends Pick<DeskPart, 'words' | 'language'> {
  readonly work: Pick<WorkHistory, 'outlines' | 'mmPerPixel'>;
  readonly report: Report;
}

/** Each outline's figures with the bounds that the saved report will have: measured anew with each change, by the server's own code. */
export function Figures({ work, report, words, language }: FiguresProps) {
  const hasScale = work.mmPerPixel !== null || report.findings.scale.mmPerPixel !== null;
  return (
    <div aria-live="polite">
      {hasScale ? null : <p className="hint">{words.noScale}</p>}
      {work.outlines.map((polygon, index) => {
        const figures = figuresOf(polygon, index, { report, ...work }, { words, language });
        return (
          <dl key={index} className="desk-figures">
            {MEASURES.map((measure) => (
              <div key={measure} className="desk-figure">
                <dt>{words[measure]}</dt>
                <dd>
                  {figures[measure].value}
                  {figures[measure].range === null ? null : (
                    <span className="hint desk-range">{figures[measure].range}</span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        );
      })}
    </div>
  );
}
