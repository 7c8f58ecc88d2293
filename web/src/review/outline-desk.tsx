import { useEffect, useState, type KeyboardEvent } from 'react';
import type { Answer } from '../shared/api.js';
import { Button, Checkbox } from '../shared/components/controls.js';
import { DeskPanels } from './desk-panels.js';
import { CourseVerdict } from './course-verdict.js';
import { DecisionForm } from './decision-form.js';
import { BRUSH_SIZES, DeskToolbar } from './desk-toolbar.js';
import { ConflictNotice } from './conflict-notice.js';
import type { DraftStart, DraftState } from './draft-state.js';
import { RestoredNotice } from './draft-notice.js';
import { OutlineEditor, type EditorProps } from './outline-editor.js';
import { PresenceNotice } from './presence-notice.js';
import { PhotoState } from './photo-state.js';
import { ReportBanner, useBanner } from './report-banner.js';
import type { DeskPart } from './report-panel.js';
import { RulerForm } from './ruler-form.js';
import { statusWord } from './status-words.js';
import { timeTaken } from './time-taken.js';
import type { Line, Point, Polygon, Report } from './types.js';
import type { Picture, ReadReport } from './use-report.js';
import { useDesk } from './use-desk.js';
import { useView } from './use-view.js';
import { fill } from './words/words.js';

const NEW_CORNERS = 8;
const BRUSH_STEP = 4;

interface OutlineDeskProps extends DeskPart {
  readonly answer: Answer<Report>;
  readonly picture: Picture;
  /** The draft of whoever sits here. */
  readonly start: DraftStart;
  readonly tissue: { readonly isShown: boolean; readonly show: (isShown: boolean) => void };
  readonly read: ReadReport;
  /** Puts another version onto the screen. */
  readonly adopt: (answer: Answer<Report>) => void;
  /** Tells the page whether there is work that is not saved. */
  readonly onWork: (isChanged: boolean) => void;
  readonly onDraft: (state: DraftState) => void;
  readonly onDecided: () => void;
  /** Something was recorded of the wound, and nothing decided about the report. */
  readonly onRecorded: () => void;
}

/** Whose wound, photo, tools, figures and decision of a report. */
export function OutlineDesk(props: OutlineDeskProps) {
  const { answer, picture, start, tissue, read, adopt, onWork, onDraft, onDecided, onRecorded, ...part } = props;
  const { session, words, language } = part;
  const desk = useDesk({ answer, start, session, read, isTissueShown: tissue.isShown, onDraft });
  const { report, isEditable, newer, setNewer, work, form, draft, hasDraft } = desk;
  const { findings } = report;
  const theirs = newer ?? (work.isUnsettled ? answer : null);
  const [drawnUrl, setDrawnUrl] = useState<string | null>(null);
  const heading = useBanner(report.id, report.version, language);
  const isDrawn = picture.state === 'there' && picture.url === drawnUrl;
  const isKnown = theirs === null && heading.banner !== null;
  const can = { confirm: isKnown && isDrawn, decide: isKnown && (isDrawn || picture.state === 'none') };
  const chosen = form.tool;
  const [said, say] = useState('');
  const { brushSize, resize, brush } = useBrush(findings.photo);
  const line = form.line ?? rulerIn(findings.photo);
  const view = useView(!isEditable || chosen === 'points' || chosen === 'ruler');
  useToldWork(work.isChanged || form.hasStated || form.woundStep !== null, onWork);
  const label = fill(words.photo, { date: timeTaken(report, language) });
  return (
    <>
      <ReportBanner {...heading} words={words} />
      <PresenceNotice presence={desk.presence} {...{ words, language }} />
      <CourseVerdict {...part} reportId={report.id} version={report.version} />
      <div className="desk-columns">
        <div className="desk-panel" inert={desk.isDeciding}>
          <div className="desk-tools">
            <Button onPress={view.larger}>{words.zoomIn}</Button>
            <Button onPress={view.smaller}>{words.zoomOut}</Button>
            {findings.tissue === null ? null : (
              <Checkbox label={words.tissue} checked={tissue.isShown} onChange={tissue.show} />
            )}
          </div>
          {isEditable ? (
            <DeskToolbar
              {...{ tool: chosen, brushSize, resize, work, words }}
              choose={(tool) => form.change({ tool })}
              addWound={() => work.change([...work.outlines, newOutline(findings.photo)])}
            />
          ) : null}
          <RestoredNotice {...{ draft, words, language }} />
          <DeskPhoto
            {...{ picture, view, work, brush, words, label }}
            tool={isEditable && !desk.isDeciding ? chosen : null}
            ruler={{ line, move: (to) => form.change({ line: to }) }}
            theirs={theirs?.data.findings.outlines ?? draft.otherOutlines}
            onDrawn={setDrawnUrl}
            size={findings.photo}
          />
          {isEditable && chosen === 'ruler' ? (
            <RulerForm {...{ line, form, work, words }} size={findings.photo} />
          ) : null}
        </div>
        <div className="desk-panel">
          <h2>{label}</h2>
          <p>
            {words.status}: {statusWord(report.status, words)}
          </p>
          {theirs === null ? null : (
            <ConflictNotice
              {...{ theirs, report, work, hasDraft, isEditable, words, language }}
              hasStated={form.hasStated}
              settle={(now, isOver) => {
                setNewer(null);
                if (!isOver) form.change({ stated: {} });
                // Of a report that takes no decision any more there is nothing to keep.
                if (now.data.status === 'entered-in-error') draft.keeper.offer(null);
                // Who goes on with the own work over a decision wants its draft, too, where that ended with it.
                else if (isOver && draft.state.kind === 'other' && draft.state.theirs === null) draft.keeper.keepMine();
                adopt(now);
              }}
            />
          )}
          <DeskPanels {...part} {...{ answer, desk, read, adopt, say, onRecorded }} canDecide={can.decide} />
          {isEditable ? (
            <DecisionForm
              {...part}
              {...{ answer, work, form, draft, read, adopt, can, say, onDecided }}
              isBusy={desk.isDeciding}
              setBusy={desk.setDeciding}
              onConflict={setNewer}
            />
          ) : session.mode === 'read' ? (
            <p>{words.readOnly}</p>
          ) : null}
          <p role="status">{said}</p>
        </div>
      </div>
    </>
  );
}

function useToldWork(isChanged: boolean, onWork: OutlineDeskProps['onWork']): void {
  useEffect(() => {
    onWork(isChanged);
    return () => onWork(false);
  }, [isChanged, onWork]);
}

interface DeskPhotoProps extends Omit<EditorProps, 'photoUrl' | 'onDrawn'> {
  readonly picture: Picture;
  /** Tells which address is on the screen. */
  readonly onDrawn: (url: string) => void;
}

/** The photo in its view, with its keys; or why there is none. */
function DeskPhoto({ picture, onDrawn, ...editor }: DeskPhotoProps) {
  const { view, brush, label, words } = editor;
  if (picture.state !== 'there') return <PhotoState {...{ picture, words }} />;
  const onKey = (event: KeyboardEvent) => {
    const act = { '+': view.larger, '=': view.larger, '-': view.smaller, '0': view.whole }[event.key];
    if (act !== undefined) act();
    else if (event.key === '[') brush.resize(-1);
    else if (event.key === ']') brush.resize(1);
  };
  return (
    <div
      ref={view.box}
      className="desk-view"
      tabIndex={0}
      role="region"
      aria-label={label}
      onKeyDown={onKey}
      {...view.gestures}
    >
      <OutlineEditor {...editor} photoUrl={picture.url} onDrawn={() => onDrawn(picture.url)} />
    </div>
  );
}

/** The brush in hand. Its size is in thousandths of the photo's longer side. */
function useBrush({ widthPx, heightPx }: Report['findings']['photo']) {
  const [brushSize, setBrushSize] = useState<number>(BRUSH_SIZES.usual);
  const resize = (size: number) => setBrushSize(Math.min(BRUSH_SIZES.most, Math.max(BRUSH_SIZES.least, size)));
  const brush = {
    radiusPx: (Math.max(widthPx, heightPx) * brushSize) / 1000,
    resize: (steps: number) => resize(brushSize + BRUSH_STEP * steps),
  };
  return { brushSize, resize, brush };
}

/** Across the middle of the photo, to be laid on a ruler. */
function rulerIn({ widthPx, heightPx }: Report['findings']['photo']): Line {
  return [
    [widthPx * 0.3, heightPx / 2],
    [widthPx * 0.7, heightPx / 2],
  ];
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
