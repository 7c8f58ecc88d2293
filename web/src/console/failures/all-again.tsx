import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../shared/api.js';
import { Button } from '../../shared/components/controls.js';
import { RefusalNotice } from '../../shared/components/refusal-notice.js';
import type { FailureGroup, Retried } from '../shared/answers.js';
import { useAnnounce } from '../shared/announcements.js';
import { doAllAgain, NOTHING_DONE, type DoneAgain } from './again-calls.js';
import { AGAIN_WORDS, doneInWords } from './failure-words.js';

interface AllAgainProps {
  readonly group: FailureGroup;
  /** The range that was counted: nothing that failed later is done again unseen. */
  readonly from: string;
  readonly to: string;
}

/** All of one cause once more, call by call until all were asked for; what cannot be done again is counted by its code. */
export function AllAgain({ group, from: begun, to }: AllAgainProps) {
  const { organizationId, environment, kind, subjectId, cause, count } = group;
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [isAsking, setAsking] = useState(false);
  const [sofar, setSofar] = useState(NOTHING_DONE);
  const again = useMutation({
    mutationFn: (from: DoneAgain) => {
      const selection = { organizationId, environment, kind, subjectId, cause, from: begun, to };
      const askBehind = (after: string | undefined) =>
        askOnce({ ...selection, ...(after === undefined ? {} : { after }) });
      return doAllAgain({ ask: askBehind, pause, onProgress: setSofar }, from);
    },
    onSuccess: (done) => {
      setSofar(done.isStopped ? done : NOTHING_DONE);
      if (!done.isStopped) announce(doneInWords(done.retried, done.skipped));
    },
    onError: () => setSofar(NOTHING_DONE),
    // Those that were done leave the list, and this row with it: not while a person has to go on.
    onSettled: (done) => (done?.isStopped === true ? undefined : queries.invalidateQueries({ queryKey: ['read'] })),
  });
  const label = count === 1 ? 'Do it again' : `Do all ${count} again`;
  const askedFor = sofar.retried + sofar.skipped.length;
  const begin = () => {
    setAsking(false);
    again.mutate(NOTHING_DONE);
  };
  return (
    <span className="row">
      {isAsking ? (
        <span className="row notice warn" role="group" aria-label={label}>
          <span>{AGAIN_WORDS[kind]}</span>
          <Button look="primary" onPress={begin} autoFocus>
            {label}
          </Button>
          <Button onPress={() => setAsking(false)}>Leave it</Button>
        </span>
      ) : (
        <Button onPress={() => setAsking(true)} isDisabled={again.isPending}>
          {label}
        </Button>
      )}
      {again.isPending && askedFor > 0 ? <span role="status">{askedFor} so far …</span> : null}
      {sofar.isStopped && !again.isPending ? (
        <span className="row notice warn" role="alert">
          <span>
            The service cannot do this at the moment. {doneInWords(sofar.retried, sofar.skipped)} The others were not
            tried.
          </span>
          <Button look="primary" onPress={() => again.mutate(sofar)}>
            Go on
          </Button>
        </span>
      ) : null}
      {again.error === null ? null : <RefusalNotice fault={again.error} />}
    </span>
  );
}

const askOnce = async (body: object): Promise<Retried> =>
  (await ask<Retried>('POST', '/admin/v1/failures/retry', { body })).data;

const pause = (ms: number): Promise<void> => new Promise((proceed) => setTimeout(proceed, ms));
