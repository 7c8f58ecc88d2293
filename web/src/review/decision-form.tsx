import { useState } from 'react';
import { Refusal, type Answer } from '../shared/api.js';
import { Button, TextField } from '../shared/components/controls.js';
import { notifyFrame, sendReview } from './desk-api.js';
import type { DeskForm } from './desk-form.js';
import { OtherDraftNotice } from './draft-notice.js';
import { FaultNotice } from './fault-notice.js';
import { faultOf } from './live-figures.js';
import { faultsOf, observationsOf } from './statements.js';
import type { WorkHistory } from './outline-history.js';
import { ReassignForm } from './reassign-form.js';
import type { DeskPart } from './desk-part.js';
import { statusWord } from './status-words.js';
import type { Report } from './types.js';
import type { Desk } from './use-desk.js';
import { isGone, type ReadReport } from './use-report.js';
import { fill, scaleWord } from './words/words.js';

interface DecisionProps extends DeskPart {
  readonly answer: Answer<Report>;
  readonly work: WorkHistory;
  readonly form: DeskForm;
  readonly draft: Desk['draft'];
  readonly read: ReadReport;
  /** Puts what was saved onto the screen. */
  readonly adopt: (answer: Answer<Report>) => void;
  /** Another version stands than the one on the screen. */
  readonly onConflict: (theirs: Answer<Report>) => void;
  /** What may be decided: nothing about a photo that is not drawn; of one that is gone not that its outline is right. */
  readonly can: { readonly decide: boolean; readonly confirm: boolean };
  /** The decision was taken, and the report is not one of this desk any more. */
  readonly onGone: () => void;
  /** A decision is sent. */
  readonly isBusy: boolean;
  readonly setBusy: (isBusy: boolean) => void;
  /** What came of a decision; it outlives this form, which a withdrawn report has no more. */
  readonly say: (text: string) => void;
  /** The decision was taken: what is on the screen until that is read is no work any more. */
  readonly onTaken: () => void;
  /** The course is another one now. */
  readonly onDecided: () => void;
}

type Decision = 'accept' | 'correct' | 'reject';

/** A person's decision about the version on the screen, and about no other. */
export function DecisionForm(props: DecisionProps) {
  const { answer, work, form, draft, read, onConflict, can, isBusy, setBusy, say, onTaken, onDecided } = props;
  const { session, words, language } = props;
  const { note } = form;
  const name = session.personName ?? form.name;
  const [fault, setFault] = useState<unknown>(null);
  const report = answer.data;
  const wrong = wordsOfFault();
  const hasOwn = work.isChanged || form.hasStated;

  function wordsOfFault(): string | null {
    if (faultsOf(form.stated).length > 0) return words.formFault;
    if (!work.hasOtherOutlines) return null;
    if (work.outlines.length === 0) return words.noOutline;
    return faultOf(work.outlines, report) === null ? null : words.faultTitle;
  }

  /** Sends what was decided; true where it was taken. `what`: beside decision, reviewer and note. */
  async function decide(decision: string, what: object): Promise<boolean> {
    setFault(null);
    say('');
    setBusy(true);
    const reviewer = { id: session.person ?? name.trim(), name: name.trim() };
    const noted = note.trim() === '' ? {} : { note: note.trim() };
    let isDecided = false;
    try {
      const revisions = await draft.keeper.hold();
      const body = { decision, reviewer, ...noted, ...what };
      const { data } = await sendReview(report.id, answer.etag ?? '', body, revisions);
      isDecided = true;
      onTaken();
      notifyFrame(session, 'decided', { reportId: report.id, decision });
      if (decision !== 'reassign')
        say(fill(words.done, { version: data.version, status: statusWord(data.status, words) }));
      await showTaken(props);
      onDecided();
      return true;
    } catch (refusal) {
      if (refusal instanceof Refusal && refusal.code === 'report.stale') await read().then(onConflict, setFault);
      else setFault(refusal);
      return false;
    } finally {
      draft.keeper.release(isDecided);
      setBusy(false);
    }
  }

  const press = (decision: Decision) => {
    if (name.trim() === '') return say(words.needsName);
    if (decision === 'reject' && note.trim() === '') return say(words.needsReason);
    void decide(decision, decision === 'correct' ? correction(work, form, report) : {});
  };

  return (
    <section className="desk-panel desk-decision" aria-label={words.decision} inert={isBusy}>
      <h2>{words.decision}</h2>
      <OtherDraftNotice {...{ draft, words, language }} />
      <p role="status">
        {work.mmPerPixel === null ? '' : fill(words.scaleNow, { value: scaleWord(work.mmPerPixel, language) })}
      </p>
      {wrong === null ? null : <p className="notice bad">{wrong}</p>}
      <FaultNotice fault={fault} words={words} />
      <div className="desk-signing">
        <Signer {...{ session, form, words }} />
        <TextField
          label={words.note}
          value={note}
          onChange={(typed) => form.change({ note: typed })}
          maxLength={2000}
        />
        <div className="desk-tools">
          <Button
            look="primary"
            isDisabled={isBusy || !can.confirm || (hasOwn && wrong !== null)}
            onPress={() => press(hasOwn ? 'correct' : 'accept')}
          >
            {work.isChanged ? words.saveCorrection : hasOwn ? words.saveForm : words.accept}
          </Button>
          <Button look="danger" isDisabled={isBusy || !can.decide} onPress={() => press('reject')}>
            {words.reject}
          </Button>
          <ReassignForm
            key={form.edition}
            {...{ name, form, words }}
            isBusy={isBusy || !can.decide}
            say={say}
            decide={decide}
          />
        </div>
      </div>
    </section>
  );
}

/** It was taken, whatever the reading of what stands now brings: no fault of that one is said as if it were the decision's. */
async function showTaken({ read, work, form, adopt, onGone }: DecisionProps): Promise<void> {
  try {
    const saved = await read();
    work.settle(saved.data);
    form.settle();
    adopt(saved);
  } catch (fault) {
    // After any other fault the next question of the page finds the newer version.
    if (isGone(fault)) onGone();
  }
}

/** What changed and nothing else: an outline that nobody touched stays the model's. */
function correction({ outlines, hasOtherOutlines, mmPerPixel }: WorkHistory, form: DeskForm, report: Report): object {
  const contour = { type: 'MultiPolygon', coordinates: outlines.map(({ coordinates }) => coordinates) };
  return {
    ...(hasOtherOutlines ? { contour } : {}),
    ...(mmPerPixel === null ? {} : { calibration: { mmPerPixel } }),
    ...(form.hasStated ? { observations: observationsOf(form.stated, report.clinicianObservations) } : {}),
  };
}

/** Who signs: known from the link, or typed. */
function Signer({ session, form, words }: Pick<DecisionProps, 'session' | 'form' | 'words'>) {
  if (session.personName !== null)
    return <p>{fill(words.signsAs, { name: session.personName, id: session.person ?? '' })}</p>;
  return (
    <TextField
      label={words.name}
      value={form.name}
      onChange={(typed) => form.change({ name: typed })}
      maxLength={255}
      autoComplete="name"
    />
  );
}
