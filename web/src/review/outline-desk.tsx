import { useEffect, useState, type KeyboardEvent } from 'react';
import type { Answer } from '../shared/api.js';
import { Button } from '../shared/components/controls.js';
import { canCompare, DeskPanels } from './desk-panels.js';
import { CourseVerdict, useCourse } from './course-verdict.js';
import { DecisionForm } from './decision-form.js';
import { BRUSH_SIZES, DeskToolbar } from './desk-toolbar.js';
import { ConflictNotice } from './conflict-notice.js';
import type { DraftStart, DraftState } from './draft-state.js';
import { DraftStanding, RestoredNotice } from './draft-notice.js';
import { Figures } from './figures.js';
import type { EditorProps } from './editor-parts.js';
import { OutlineEditor } from './outline-editor.js';
import { PresenceNotice } from './presence-notice.js';
import { PhotoState } from './photo-state.js';
import { ReportBanner, useBanner } from './report-banner.js';
import type { WorkHistory } from './outline-history.js';
import type { DeskPart } from './desk-part.js';
import { RulerForm } from './ruler-form.js';
import { statusWord } from './status-words.js';
import { timeTaken } from './time-taken.js';
import type { Line, Point, Polygon, Report } from './types.js';
import type { Picture, ReadReport } from './use-report.js';
import { useDesk, type Desk } from './use-desk.js';
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
  /** A decision was taken, and is not on the screen yet. */
  readonly onTaken: () => void;
  readonly onDecided: () => void;
  /** What came of a decision. */
  readonly said: string;
  readonly say: (text: string) => void;
  /** The report is not one of this desk any more: by the own decision, which was said, or by somebody else's. */
  readonly onGone: (isOwn: boolean) => void;
  /** Something was recorded of the wound, and nothing decided about the report. */
  readonly onRecorded: () => void;
  /** Another photo of the wound. */
  readonly show: (reportId: string) => void;
}

/** Whose wound, photo, tools, verdict, figures, panels and decision of a report: on a tablet and larger screens all of it on one. */
export function OutlineDesk(props: OutlineDeskProps) {
  const { answer, picture, start, tissue, read, adopt, ...told } = props;
  const { onWork, onDraft, onTaken, onDecided, onRecorded, show, said, say, onGone, ...part } = told;
  const { session, words, language } = part;
  const onLost = () => onGone(false);
  const desk = useDesk({ answer, start, session, read, isTissueShown: tissue.isShown, onDraft, onGone: onLost });
  const { report, isEditable, newer, setNewer, work, form, draft, hasDraft } = desk;
  const theirs = newer ?? (work.isUnsettled ? answer : null);
  const [drawnUrl, setDrawnUrl] = useState<string | null>(null);
  const heading = useBanner(report.id, report.version, language);
  const course = useCourse(report.id, report.version, language);
  const [isWideWished, widen] = useState(false);
  // With the last other photo the comparison goes, and the photo has its place again.
  const isWide = isWideWished && canCompare(session);
  const isDrawn = picture.state === 'there' && picture.url === drawnUrl && !isWide;
  const isKnown = theirs === null && heading.banner !== null;
  const can = {
    confirm: isKnown && isDrawn,
    decide: isKnown && (isDrawn || (picture.state === 'none' && !isWide)),
  };
  useToldWork(work.isChanged || form.hasStated || form.woundStep !== null, onWork);
  const label = fill(words.photo, { date: timeTaken(report, language) });
  const settle = (now: Answer<Report>, isOver: boolean) => {
    setNewer(null);
    if (!isOver) form.change({ stated: {} });
    // Of a report that takes no decision any more there is nothing to keep.
    if (now.data.status === 'entered-in-error') draft.keeper.offer(null);
    // Who goes on with the own work over a decision wants its draft, too, where that ended with it.
    else if (isOver && draft.state.kind === 'other' && draft.state.theirs === null) draft.keeper.keepMine();
    adopt(now);
  };
  return (
    <>
      <ReportBanner {...heading} words={words} />
      {isEditable ? (
        <div className="desk-standing">
          <DraftStanding state={draft.state} {...{ words, language }} />
        </div>
      ) : null}
      <div className="desk-notes of-report">
        <PresenceNotice presence={desk.presence} {...{ words, language }} />
        <RestoredNotice {...{ draft, words, language }} />
      </div>
      <PhotoBench {...{ desk, picture, words, label, isWide }} theirs={theirs} onDrawn={setDrawnUrl} />
      <div className={isWide ? 'desk-beside wide' : 'desk-beside'}>
        {theirs === null ? null : (
          <ConflictNotice
            {...{ theirs, report, work, hasDraft, isEditable, settle, session, words, language }}
            hasStated={form.hasStated}
          />
        )}
        <div className="desk-seen">
          <CourseVerdict {...{ words }} told={course} />
          <section className="desk-panel" aria-label={words.panelFigures}>
            <div className="desk-title">
              <h2>{label}</h2>
              <p>
                {words.status}: {statusWord(report.status, words)}
              </p>
            </div>
            <Figures
              {...{ report, work, words, language }}
              edit={isEditable ? editOf(work, report.findings.photo) : null}
            />
          </section>
        </div>
        <DeskPanels
          {...part}
          {...{ answer, desk, tissue, read, adopt, say, onRecorded, show, isWide, widen }}
          course={course}
          canDecide={can.decide}
        />
      </div>
      <div className="desk-foot">
        {isEditable ? (
          <DecisionForm
            {...part}
            {...{ answer, work, form, draft, read, adopt, can, say, onTaken, onDecided }}
            isBusy={desk.isDeciding}
            setBusy={desk.setDeciding}
            onConflict={setNewer}
            onGone={() => onGone(true)}
          />
        ) : session.mode === 'read' ? (
          <p>{words.readOnly}</p>
        ) : null}
        <p role="status">{said}</p>
      </div>
    </>
  );
}

interface BenchProps extends Pick<DeskPart, 'words'>, Pick<OutlineDeskProps, 'picture'> {
  readonly desk: Desk;
  readonly theirs: Answer<Report> | null;
  readonly label: string;
  /** Another panel has its place for now. */
  readonly isWide: boolean;
  readonly onDrawn: (url: string) => void;
}

/** The photo with its outlines, and what changes them. */
function PhotoBench({ desk, picture, words, label, isWide, theirs, onDrawn }: BenchProps) {
  const { report, isEditable, isDeciding, work, form, draft } = desk;
  const { photo } = report.findings;
  const chosen = form.tool;
  const { brushSize, resize, brush } = useBrush(photo);
  const line = form.line ?? rulerIn(photo);
  const view = useView(!isEditable || chosen === 'points' || chosen === 'ruler');
  return (
    <div className="desk-panel desk-bench" inert={isDeciding} hidden={isWide}>
      {isEditable ? (
        <DeskToolbar {...{ tool: chosen, brushSize, resize, work, words }} choose={(tool) => form.change({ tool })} />
      ) : null}
      <DeskPhoto
        {...{ picture, view, work, brush, words, label }}
        tool={isEditable && !isDeciding ? chosen : null}
        ruler={{ line, move: (to) => form.change({ line: to }) }}
        theirs={theirs?.data.findings.outlines ?? draft.otherOutlines}
        onDrawn={onDrawn}
        size={photo}
      />
      {isEditable && chosen === 'ruler' ? <RulerForm {...{ line, form, work, words }} size={photo} /> : null}
    </div>
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
    <div className="desk-frame">
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
      <div className="desk-zoom">
        <Button aria-label={words.zoomIn} onPress={view.larger}>
          +
        </Button>
        <Button aria-label={words.zoomOut} onPress={view.smaller}>
          −
        </Button>
      </div>
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

/** One outline more or fewer. */
function editOf({ outlines, change }: WorkHistory, photo: Report['findings']['photo']) {
  return {
    add: () => change([...outlines, newOutline(photo)]),
    remove: (index: number) => change(outlines.toSpliced(index, 1)),
  };
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
