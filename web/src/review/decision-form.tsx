import { useState } from 'react';
import { Refusal, type Answer } from '../shared/api.js';
import { Button, TextField } from '../shared/components/controls.js';
import { RefusalNotice } from '../shared/components/refusal-notice.js';
import { sendReview } from './desk-api.js';
import { faultOf } from './live-figures.js';
import type { DeskPart } from './report-panel.js';
import type { Polygon, Report } from './types.js';
import { fill } from './words/words.js';

interface DecisionProps extends DeskPart {
  readonly answer: Answer<Report>;
  readonly outlines: readonly Polygon[];
  readonly isChanged: boolean;
  readonly readAgain: () => Promise<Report>;
}

/** A person's decision about the version that they saw. Where somebody was faster, it says so and keeps their work. */
export function DecisionForm({ answer, outlines, isChanged, readAgain, session, words, language }: DecisionProps) {
  const [name, setName] = useState('');
  const [note, setNote] = useState('');
  const [said, setSaid] = useState('');
  const [fault, setFault] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const wrong = isChanged ? faultOf(outlines, answer.data) : null;

  const decide = async (decision: 'accept' | 'correct' | 'reject') => {
    setFault(null);
    if (name.trim() === '') return setSaid(words.needsName);
    if (decision === 'reject' && note.trim() === '') return setSaid(words.needsReason);
    setBusy(true);
    const reviewer = { id: session.person ?? name.trim(), name: name.trim() };
    const contour = { type: 'MultiPolygon', coordinates: outlines.map(({ coordinates }) => coordinates) };
    try {
      const { data } = await sendReview(answer.data.id, answer.etag ?? '', {
        decision,
        reviewer,
        ...(note.trim() === '' ? {} : { note: note.trim() }),
        ...(decision === 'correct' ? { contour } : {}),
      });
      setSaid(fill(words.done, { version: data.version, status: data.status }));
      await readAgain();
    } catch (refusal) {
      if (refusal instanceof Refusal && refusal.code === 'report.stale') await tellWhoWasFaster();
      else setFault(refusal);
    } finally {
      setBusy(false);
    }
  };

  async function tellWhoWasFaster() {
    const { review } = await readAgain();
    const text =
      review === null
        ? words.staleUnknown
        : fill(words.stale, {
            name: review.reviewer.name,
            decision: review.decision,
            time: new Date(review.reviewedAt).toLocaleTimeString(language),
          });
    setSaid(text);
  }

  return (
    <section className="desk-panel" aria-label={words.decision}>
      <h2>{words.decision}</h2>
      <TextField label={words.name} value={name} onChange={setName} maxLength={255} autoComplete="name" />
      <TextField label={words.note} value={note} onChange={setNote} maxLength={2000} />
      {wrong === null ? null : <p className="hint">{fill(words.outlineFault, { fault: wrong })}</p>}
      <div className="desk-tools">
        {isChanged ? (
          <Button look="primary" isDisabled={isBusy || wrong !== null} onPress={() => void decide('correct')}>
            {words.correct}
          </Button>
        ) : (
          <Button look="primary" isDisabled={isBusy} onPress={() => void decide('accept')}>
            {words.accept}
          </Button>
        )}
        <Button look="danger" isDisabled={isBusy} onPress={() => void decide('reject')}>
          {words.reject}
        </Button>
      </div>
      <p role="status">{said}</p>
      <RefusalNotice fault={fault} />
    </section>
  );
}
