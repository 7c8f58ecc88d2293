import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../shared/api.js';
import { Button } from '../../shared/components/controls.js';
import { RefusalNotice } from '../../shared/components/refusal-notice.js';
import type { FailureGroup, Retried } from '../shared/answers.js';
import { useAnnounce } from '../shared/announcements.js';
import { AGAIN_WORDS, doneInWords } from './failure-words.js';

interface AllAgainProps {
  readonly group: FailureGroup;
  /** The range that was counted: nothing that failed later is done again unseen. */
  readonly from: string;
  readonly to: string;
}

/** All of one cause once more, call by call until all were asked for; what cannot be done again is counted by its code. */
export function AllAgain({ group, from, to }: AllAgainProps) {
  const { organizationId, environment, kind, subjectId, cause, count } = group;
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [isAsking, setAsking] = useState(false);
  const [sofar, setSofar] = useState(0);
  const again = useMutation({
    mutationFn: async () => {
      const { retried, skipped } = await doneAgain(
        { organizationId, environment, kind, subjectId, cause, from, to },
        setSofar,
      );
      return doneInWords(retried, skipped);
    },
    onSuccess: announce,
    onSettled: () => {
      setSofar(0);
      return queries.invalidateQueries({ queryKey: ['read'] });
    },
  });
  const label = count === 1 ? 'Do it again' : `Do all ${count} again`;
  const begin = () => {
    setAsking(false);
    again.mutate();
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
      {again.isPending && sofar > 0 ? <span role="status">{sofar} so far …</span> : null}
      {again.error === null ? null : <RefusalNotice fault={again.error} />}
    </span>
  );
}

type Selection = Pick<FailureGroup, 'organizationId' | 'environment' | 'kind' | 'subjectId' | 'cause'> &
  Pick<AllAgainProps, 'from' | 'to'>;

/** `onProgress`: how many were asked for until now. */
async function doneAgain(
  selection: Selection,
  onProgress: (count: number) => void,
): Promise<Pick<Retried, 'retried' | 'skipped'>> {
  const askOnce = async (body: object): Promise<Retried> =>
    (await ask<Retried>('POST', '/admin/v1/failures/retry', { body })).data;
  let { after, retried, skipped } = await askOnce(selection);
  while (after !== null) {
    onProgress(retried + skipped.length);
    const further = await askOnce({ ...selection, after });
    ({ after } = further);
    retried += further.retried;
    skipped = [...skipped, ...further.skipped];
  }
  return { retried, skipped };
}
