import { useState } from 'react';
import type { Answer } from '../shared/api.js';
import { Button } from '../shared/components/controls.js';
import { DecisionForm } from './decision-form.js';
import { figuresOf } from './live-figures.js';
import { OutlineEditor } from './outline-editor.js';
import { useOutlines } from './outline-history.js';
import { TissueLegend } from './tissue-legend.js';
import type { DeskPart } from './report-panel.js';
import type { Point, Polygon, Report } from './types.js';
import { fill } from './words/words.js';

const ZOOM_STEP = 1.5;
const MOST_ZOOM = 8;
const NEW_CORNERS = 8;

interface OutlineDeskProps extends DeskPart {
  readonly answer: Answer<Report>;
  readonly photo: string | null;
  readonly tissue: { readonly isShown: boolean; readonly show: (isShown: boolean) => void };
  readonly readAgain: () => Promise<Report>;
}

/** Photo, tools, figures and decision of a report. */
export function OutlineDesk({ answer, photo, tissue, readAgain, session, words, language }: OutlineDeskProps) {
  const report = answer.data;
  const { findings } = report;
  const history = useOutlines(findings.outlines);
  const [zoom, setZoom] = useState(1);
  const isEditable = session.mode === 'review' && report.status !== 'entered-in-error';
  const { outlines, change } = history;
  const label = fill(words.photo, { date: new Date(report.capturedAt).toLocaleString(language) });
  return (
    <div className="desk-columns">
      <div className="desk-panel">
        <div className="desk-tools">
          <Button onPress={() => setZoom(Math.min(MOST_ZOOM, zoom * ZOOM_STEP))}>{words.zoomIn}</Button>
          <Button onPress={() => setZoom(Math.max(1, zoom / ZOOM_STEP))}>{words.zoomOut}</Button>
          {findings.tissue === null ? null : (
            <label>
              <input type="checkbox" checked={tissue.isShown} onChange={(event) => tissue.show(event.target.checked)} />{' '}
              {words.tissue}
            </label>
          )}
          {isEditable ? (
            <>
              <Button isDisabled={!history.isChanged} onPress={history.undo}>
                {words.undo}
              </Button>
              <Button isDisabled={!history.canRedo} onPress={history.redo}>
                {words.redo}
              </Button>
              <Button onPress={() => change([...outlines, newOutline(findings.photo)])}>{words.addWound}</Button>
              {outlines.map((_, index) => (
                <Button key={index} onPress={() => change(outlines.toSpliced(index, 1))}>
                  {fill(words.removeWound, { outline: index + 1 })}
                </Button>
              ))}
            </>
          ) : null}
        </div>
        {isEditable ? <p className="hint">{words.editHelp}</p> : null}
        {photo === null ? (
          <p>{words.noPhoto}</p>
        ) : (
          <div className="desk-view" tabIndex={0} role="region" aria-label={label}>
            <OutlineEditor {...{ history, isEditable, words, zoom, label }} photoUrl={photo} size={findings.photo} />
          </div>
        )}
      </div>
      <div className="desk-panel">
        <h2>{label}</h2>
        <p>
          {words.status}: {report.status}
        </p>
        <Figures {...{ outlines, report, words, language }} />
        {findings.tissue === null ? null : <TissueLegend tissue={findings.tissue} {...{ words, language }} />}
        {isEditable ? (
          <DecisionForm {...{ answer, outlines, readAgain, session, words, language }} isChanged={history.isChanged} />
        ) : (
          <p>{words.readOnly}</p>
        )}
      </div>
    </div>
  );
}

interface FiguresProps extends Pick<DeskPart, 'words' | 'language'> {
  readonly outlines: readonly Polygon[];
  readonly report: Report;
}

/** Measured anew with each change, by the server's own code. */
function Figures({ outlines, report, words, language }: FiguresProps) {
  return (
    <div aria-live="polite">
      {report.findings.scale.mmPerPixel === null ? <p className="hint">{words.noScale}</p> : null}
      {outlines.map((polygon, index) => {
        const figures = figuresOf(polygon, report, language);
        return (
          <dl key={index} className="desk-figures">
            <dt>{words.area}</dt>
            <dd>{figures.area}</dd>
            <dt>{words.length}</dt>
            <dd>{figures.length}</dd>
            <dt>{words.width}</dt>
            <dd>{figures.width}</dd>
            <dt>{words.perimeter}</dt>
            <dd>{figures.perimeter}</dd>
          </dl>
        );
      })}
    </div>
  );
}

/** A circle in the middle of the photo, to be drawn to where the wound is. */
function newOutline({ widthPx, heightPx }: Report['findings']['photo']): Polygon {
  const radius = Math.min(widthPx, heightPx) / NEW_CORNERS;
  const corners = Array.from({ length: NEW_CORNERS }, (_, place): Point => {
    const turn = (2 * Math.PI * place) / NEW_CORNERS;
    return [widthPx / 2 + radius * Math.cos(turn), heightPx / 2 + radius * Math.sin(turn)];
  });
  return { type: 'Polygon', coordinates: [[...corners, corners[0]!]] };
}
