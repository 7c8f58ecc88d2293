import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../shared/api.js';
import { Button, type ButtonProps } from '../../shared/components/controls.js';
import { RefusalNotice } from '../../shared/components/refusal-notice.js';
import { useAnnounce } from './announcements.js';

interface ActButtonProps {
  readonly label: string;
  readonly method?: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** Asked before it is done; without it the act is done at once. */
  readonly question?: string;
  /** Said once it was done. */
  readonly done?: string | ((answer: unknown) => string);
  /** Where the person goes then; by default they stay. */
  readonly next?: (answer: unknown) => string;
  readonly look?: ButtonProps['look'];
}

/** One change: asked for where it cannot be taken back, said when it is done, with the reason when it is not. */
export function ActButton({
  label,
  method = 'POST',
  path,
  body,
  question,
  done = 'Done.',
  next,
  look,
}: ActButtonProps) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [isAsking, setAsking] = useState(false);
  const act = useMutation({
    mutationFn: async () => (await ask<unknown>(method, path, { ...(body === undefined ? {} : { body }) })).data,
    onSuccess: (answer) => {
      announce(typeof done === 'string' ? done : done(answer));
      if (next !== undefined) window.location.assign(next(answer));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['read'] }),
  });
  const begin = () => {
    setAsking(false);
    act.mutate();
  };
  const first = () => (question === undefined ? begin() : setAsking(true));
  return (
    <span className="row">
      {isAsking ? (
        <span className="row notice warn" role="group" aria-label={label}>
          <span>{question}</span>
          <Button look="danger" onPress={begin} autoFocus>
            {label}
          </Button>
          <Button onPress={() => setAsking(false)}>Leave it</Button>
        </span>
      ) : (
        <Button onPress={first} isDisabled={act.isPending} {...(look === undefined ? {} : { look })}>
          {label}
        </Button>
      )}
      {act.error === null ? null : <RefusalNotice fault={act.error} />}
    </span>
  );
}
