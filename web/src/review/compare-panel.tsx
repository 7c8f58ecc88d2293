import { useEffect, useRef, useState } from 'react';
import { ringBoundingBox } from '../../../src/core/measurement/polygon.js';
import { scaleBarFor } from '../../../src/core/measurement/scale-bar.js';
import { Button } from '../shared/components/controls.js';
import { FaultNotice } from './fault-notice.js';
import { Figures } from './figures.js';
import { OutlinePaths } from './outline-editor.js';
import { PhotoState } from './photo-state.js';
import type { DeskPart } from './desk-part.js';
import { SeriesSlider } from './series-slider.js';
import { timeTaken } from './time-taken.js';
import type { Report } from './types.js';
import { isGone, usePicture, useReport } from './use-report.js';
import { fill } from './words/words.js';

/** Room around the wound. */
const ROOM = 1.6;
const LEAST_MM = 20;

interface CompareProps extends DeskPart {
  readonly reportId: string;
  readonly isWide: boolean;
  /** Gives the panel the place of the photo, too, or that back. */
  readonly widen: (isWide: boolean) => void;
  /** Which photos there are is to be read anew. */
  readonly onRecorded: () => void;
}

/** Two photos of the wound beside each other, at one scale where both have one; each with a slider over time. */
export function ComparePanel({ reportId, session, isWide, widen, onRecorded, words, language }: CompareProps) {
  const { series } = session;
  const place = series.findIndex((one) => one.reportId === reportId);
  const [chosen, choose] = useState([series[Math.max(0, place - 1)]!.reportId, reportId] as const);
  useAskedAgain(onRecorded, chosen.join(' '));
  // Given to another patient meanwhile, or withdrawn: it is no photo to compare this wound with.
  const isThere = (id: string) => id === reportId || series.some((one) => one.reportId === id);
  const sidesRead = [useReport(chosen[0]), useReport(chosen[1])].map((side, at) =>
    isThere(chosen[at]!) && !isGone(side.fault) ? side : { ...side, answer: null, fault: null, isAway: true },
  );
  const reports = sidesRead.flatMap(({ answer }) => answer?.data ?? []);
  const sides = reports.flatMap(sideMmOf);
  const sideMm = reports.length === 2 && sides.length === 2 ? Math.max(LEAST_MM, ...sides) : null;
  const barMm = sideMm === null ? null : (scaleBarFor(1, sideMm)?.mm ?? null);
  return (
    <section className="desk-comparison" aria-label={words.compare}>
      <div className="desk-tools">
        <Button aria-pressed={isWide} onPress={() => widen(!isWide)}>
          {isWide ? words.narrow : words.widen}
        </Button>
        <span className="hint">
          {barMm === null ? words.ownScale : fill(words.sameScale, { length: barMm.toLocaleString(language) })}
        </span>
      </div>
      {isWide ? <p className="notice">{words.coversPhoto}</p> : null}
      <div className="desk-pair">
        {sidesRead.map(({ answer, fault, retry, ...place }, side) => (
          <div key={side} className="desk-side">
            <SeriesSlider
              label={side === 0 ? words.compareWith : words.series}
              shown={chosen[side]!}
              show={(id) => choose(side === 0 ? [id, chosen[1]] : [chosen[0], id])}
              {...{ series, language }}
            />
            {'isAway' in place ? (
              <div className="notice bad" role="alert">
                {words.gone}
              </div>
            ) : answer === null ? (
              <>
                <FaultNotice fault={fault} words={words} />
                {fault === null ? null : <Button onPress={retry}>{words.tryAgain}</Button>}
              </>
            ) : (
              <Side report={answer.data} {...{ sideMm, barMm, words, language }} />
            )}
          </div>
        ))}
      </div>
    </section>
  );
}

/**
 * Somebody else may give a photo away while it is on the screen, and only the one that is worked on is asked for by itself. Asked when somebody looks
 * or chooses, not by a clock: each answer is a reading of the patient's wounds in the trail.
 */
function useAskedAgain(ask: () => void, chosen: string): void {
  const current = useRef(ask);
  useEffect(() => {
    current.current = ask;
  });
  useEffect(() => {
    const now = () => void (document.visibilityState === 'visible' && current.current());
    now();
    document.addEventListener('visibilitychange', now);
    window.addEventListener('online', now);
    return () => {
      document.removeEventListener('visibilitychange', now);
      window.removeEventListener('online', now);
    };
  }, [chosen]);
}

interface SideProps extends Pick<DeskPart, 'words' | 'language'> {
  readonly report: Report;
  readonly sideMm: number | null;
  readonly barMm: number | null;
}

function Side({ report, sideMm, barMm, words, language }: SideProps) {
  const photo = usePicture(report.id, 'photo');
  const { findings } = report;
  const mmPerPixel = findings.scale.mmPerPixel;
  const box = boxOf(report);
  const sidePx = sideMm === null || mmPerPixel === null ? ROOM * Math.max(box.width, box.height) : sideMm / mmPerPixel;
  const [left, top] = [box.x + box.width / 2 - sidePx / 2, box.y + box.height / 2 - sidePx / 2];
  const label = fill(words.photo, { date: timeTaken(report, language) });
  const barPx = barMm === null || mmPerPixel === null ? null : barMm / mmPerPixel;
  return (
    <>
      {photo.state !== 'there' ? (
        <PhotoState picture={photo} words={words} />
      ) : (
        <svg className="desk-compared" viewBox={`${left} ${top} ${sidePx} ${sidePx}`} role="img" aria-label={label}>
          <image href={photo.url} width={findings.photo.widthPx} height={findings.photo.heightPx} />
          <OutlinePaths outlines={findings.outlines} />
          {barPx === null ? null : (
            <rect
              className="desk-bar"
              x={left + sidePx * 0.05}
              y={top + sidePx * 0.93}
              width={barPx}
              height={sidePx * 0.015}
            />
          )}
        </svg>
      )}
      <h3>{label}</h3>
      <Figures report={report} work={{ outlines: findings.outlines, mmPerPixel: null }} {...{ words, language }} />
    </>
  );
}

/** Around all outlines; the whole photo where there is none. */
function boxOf({ findings }: Report) {
  const points = findings.outlines.flatMap(({ coordinates }) => coordinates[0]!);
  const { widthPx, heightPx } = findings.photo;
  return points.length === 0 ? { x: 0, y: 0, width: widthPx, height: heightPx } : ringBoundingBox(points);
}

function sideMmOf(report: Report): number[] {
  const { mmPerPixel } = report.findings.scale;
  const { width, height } = boxOf(report);
  return mmPerPixel === null ? [] : [ROOM * Math.max(width, height) * mmPerPixel];
}
