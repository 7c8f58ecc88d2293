import type { Answer } from '../shared/api.js';
import { Button } from '../shared/components/controls.js';
import type { WorkHistory } from './outline-history.js';
import type { DeskPart } from './desk-part.js';
import { decisionWord } from './status-words.js';
import type { Report } from './types.js';
import { isSame } from './statements.js';
import { fill, scaleWord } from './words/words.js';

interface ConflictProps extends Pick<DeskPart, 'session' | 'words' | 'language'> {
  /** The version that stands now, which is not the one on the screen. */
  readonly theirs: Answer<Report>;
  /** The version on the screen. */
  readonly report: Report;
  readonly work: WorkHistory;
  /** There is something of one's own that they did not see. */
  readonly hasDraft: boolean;
  readonly isEditable: boolean;
  /** Rows of the form are filled in. */
  readonly hasStated: boolean;
  /** Puts the version that stands onto the screen; `isOver`: with the own work over it. */
  readonly settle: (theirs: Answer<Report>, isOver: boolean) => void;
}

/** Somebody was faster: their outline beside the own one, and nothing can be decided until a person says which goes on. */
export function ConflictNotice(props: ConflictProps) {
  const { theirs, report, work, hasDraft, isEditable, hasStated, settle, session, words, language } = props;
  const { review, status, findings } = theirs.data;
  // The answer to the own decision may have been lost.
  const isOwn = session.person !== null && review?.reviewer.id === session.person;
  const said =
    review === null
      ? hasDraft
        ? words.staleUnknown
        : words.changedMeanwhile
      : fill(hasDraft ? (isOwn ? words.staleOwn : words.stale) : words.decidedMeanwhile, {
          name: review.reviewer.name,
          decision: decisionWord(review.decision, words),
          time: new Date(review.reviewedAt).toLocaleTimeString(language),
        });
  const scale = findings.scale.mmPerPixel;
  const shownScale = work.mmPerPixel ?? report.findings.scale.mmPerPixel;
  const area = findings.figures?.area.cm2 ?? null;
  return (
    <div className="notice bad" role="alert">
      <p>{said}</p>
      <p>
        {isEditable ? words.theirOutline : words.theirOutlineReading}
        {isSame(theirs.data.clinicianObservations, report.clinicianObservations) ? '' : ` ${words.theirForm}`}
        {area === null ? '' : ` ${words.area}: ${area.value.toLocaleString(language)} cm²`}
        {scale === shownScale
          ? ''
          : ` ${scale === null ? words.theirNoScale : fill(words.theirScale, { value: scaleWord(scale, language) })}`}
      </p>
      <div className="desk-tools">
        <Button
          look="primary"
          onPress={() => {
            work.settle(theirs.data);
            settle(theirs, false);
          }}
        >
          {words.takeTheirs}
        </Button>
        {(work.isChanged || hasStated) && status !== 'entered-in-error' ? (
          <Button
            onPress={() => {
              work.putOver(theirs.data);
              settle(theirs, true);
            }}
          >
            {words.putMineOver}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
