import { useState } from 'react';
import { Refusal, type Answer } from '../shared/api.js';
import { notifyFrame, sendWoundStep } from './desk-api.js';
import type { DeskPart } from './desk-part.js';
import type { Report } from './types.js';
import type { Desk } from './use-desk.js';
import type { ReadReport } from './use-report.js';

interface StepParts extends Pick<DeskPart, 'session' | 'words'> {
  readonly answer: Answer<Report>;
  readonly desk: Desk;
  readonly read: ReadReport;
  readonly adopt: (answer: Answer<Report>) => void;
  readonly say: (text: string) => void;
  /** How the wound stands is to be read anew. */
  readonly onStanding: () => void;
  /** It is no decision about the report. */
  readonly onRecorded: () => void;
}

export interface SentStep {
  readonly path: string;
  readonly body: object;
  /** As the page around this one is told. */
  readonly recorded: 'event' | 'withdrawal' | 'closing' | 'reopening';
}

/** What a person states of the wound itself, bound to the version on the screen. The outline and the form under way stay as they are. */
export function useWoundSteps({ answer, desk, session, words, read, adopt, say, onStanding, onRecorded }: StepParts) {
  const [fault, setFault] = useState<unknown>(null);
  const { work, form, draft } = desk;
  const name = session.personName ?? form.name;

  /** The own statement may have made another version; anybody else's is a conflict. */
  const follow = async (version: number | null) => {
    const now = await read();
    if (now.data.version === answer.data.version) return;
    if (now.data.version !== version) return desk.setNewer(now);
    if (work.isChanged) work.putOver(now.data);
    else work.settle(now.data);
    adopt(now);
  };

  const refused = async (refusal: unknown) => {
    const code = refusal instanceof Refusal ? refusal.code : null;
    if (code !== 'report.stale' && code !== 'idempotency.mismatch') return setFault(refusal);
    if (code === 'idempotency.mismatch') form.change({ woundStep: null });
    say(code === 'report.stale' ? words.standingStale : words.stepKnown);
    await follow(null).catch(setFault);
  };

  /** What was begun holds already: the answer was lost, or somebody else was faster. */
  const drop = () => {
    setFault(null);
    form.change({ woundStep: null });
    say(words.stepMoot);
  };

  /** `isBegun`: it is the step in the form; else that one stays there. */
  const record = async ({ path, body, recorded }: SentStep, isBegun: boolean) => {
    if (name.trim() === '') return say(words.needsName);
    setFault(null);
    say('');
    desk.setDeciding(true);
    try {
      await draft.keeper.hold();
      const reviewer = { id: session.person ?? name.trim(), name: name.trim() };
      const { data } = await sendWoundStep(answer.data.id, path, answer.etag ?? '', { ...body, reviewer });
      if (isBegun) form.change({ woundStep: null });
      say(words.stepDone);
      notifyFrame(session, 'recorded', { reportId: answer.data.id, recorded });
      // It is recorded, whether or not what stands now can be read.
      await follow(data.version).catch(() => say(words.stepUnread));
      onRecorded();
    } catch (refusal) {
      await refused(refusal);
    } finally {
      draft.keeper.release(false);
      desk.setDeciding(false);
      // Also after a refusal: perhaps the answer alone was lost, and the list shows it.
      onStanding();
    }
  };
  return { fault, record, drop, say };
}

export type WoundSteps = ReturnType<typeof useWoundSteps>;
