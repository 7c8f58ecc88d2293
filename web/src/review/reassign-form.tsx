import { useState } from 'react';
import { Button, TextField } from '../shared/components/controls.js';
import type { DeskForm } from './desk-form.js';
import { fill } from './words/words.js';
import type { Words } from './words/en.js';

interface ReassignProps {
  readonly name: string;
  readonly form: DeskForm;
  readonly isBusy: boolean;
  readonly words: Words;
  readonly say: (text: string) => void;
  readonly decide: (decision: string, what: object) => Promise<boolean>;
}

/** Gives the photo to another patient or wound: by typed numbers, shown once more before it is done. */
export function ReassignForm({ name, form, isBusy, words, say, decide }: ReassignProps) {
  const [isShown, show] = useState(false);
  const { note, otherPatient, otherWound } = form;
  const numbers = { patient: otherPatient.trim(), wound: otherWound.trim() };
  // Open where a draft brought numbers; from then on as its person likes.
  const [isOpen] = useState(otherPatient !== '' || otherWound !== '');
  const check = () => {
    if (name.trim() === '') return say(words.needsName);
    if (note.trim() === '') return say(words.needsReassignReason);
    if (numbers.patient === '' || numbers.wound === '') return say(words.needsNumbers);
    say('');
    show(true);
  };
  const confirm = async () => {
    show(false);
    const subject = { patientId: numbers.patient, woundId: numbers.wound };
    if (await decide('reassign', { subject })) say(fill(words.reassigned, numbers));
  };
  return (
    <details className="desk-reassign" open={isOpen}>
      <summary>{words.reassign}</summary>
      <div className="desk-fields">
        <TextField
          label={words.patientNumber}
          value={otherPatient}
          onChange={(typed) => form.change({ otherPatient: typed })}
          maxLength={255}
          isDisabled={isShown}
          autoComplete="off"
        />
        <TextField
          label={words.woundNumber}
          value={otherWound}
          onChange={(typed) => form.change({ otherWound: typed })}
          maxLength={255}
          isDisabled={isShown}
          autoComplete="off"
        />
        {isShown ? (
          <div className="notice" role="alert">
            <p>{fill(words.reassignShown, numbers)}</p>
            <div className="desk-tools">
              <Button look="danger" isDisabled={isBusy} onPress={() => void confirm()}>
                {words.reassignConfirm}
              </Button>
              <Button onPress={() => show(false)}>{words.cancel}</Button>
            </div>
          </div>
        ) : (
          <Button isDisabled={isBusy} onPress={check}>
            {words.reassignCheck}
          </Button>
        )}
      </div>
    </details>
  );
}
