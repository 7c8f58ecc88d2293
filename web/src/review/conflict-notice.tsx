import type { Answer } from '../shared/api.js';
import { Button } from '../shared/components/controls.js';
import type { WorkHistory } from './outline-history.js';
import type { DeskPart } from './report-panel.js';
import { decisionWord } from './status-words.js';
import type { Report } from './types.js';
import { fill } from './words/words.js';

interface ConflictProps extends Pick<DeskPart, 'words' | 'language'> {
  /** The version that stands now, which is not the one on the screen. */
  readonly theirs: Answer<Report>;
  readonly work: WorkHistory;
  /** There is something of one's own that they did not see. */
  readonly hasDraft: boolean;
  /** Puts the version that stands onto the screen. */
  readonly settle: (theirs: Answer<Report>) => void;
}

/** Somebody was faster: their outline beside the own one, and nothing can be decided until a person says which goes on. */
export function ConflictNotice({ theirs, work, hasDraft, settle, words, language }: ConflictProps) {
  const { review, status, findings } = theirs.data;
  const said =
    review === null
      ? hasDraft
        ? words.staleUnknown
        : words.changedMeanwhile
      : fill(hasDraft ? words.stale : words.decidedMeanwhile, {
          name: review.reviewer.name,
          decision: decisionWord(review.decision, words),
          time: new Date(review.reviewedAt).toLocaleTimeString(language),
        });
  const area = findings.figures?.area.cm2 ?? null;
  return (
    <div className="notice bad" role="alert">
      <p>{said}</p>
      <p>
        {words.theirOutline}
        {area === null ? '' : ` ${words.area}: ${area.value.toLocaleString(language)} cm²`}
      </p>
      <div className="desk-tools">
        <Button
          look="primary"
          onPress={() => {
            work.settle(theirs.data);
            settle(theirs);
          }}
        >
          {words.takeTheirs}
        </Button>
        {work.isChanged && status !== 'entered-in-error' ? (
          <Button
            onPress={() => {
              work.putOver(theirs.data);
              settle(theirs);
            }}
          >
            {words.putMineOver}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
