import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../shared/api.js';
import { Button, TextField } from '../../shared/components/controls.js';
import { RefusalNotice } from '../../shared/components/refusal-notice.js';
import { readSettings } from '../shared/changed-settings.js';
import { ShownOnce } from '../shared/shown-once.js';

type Kind = 'listener' | 'destination' | 'webhook';

/** What has to be said at least; everything else has a default. */
const FIRST_SETTINGS: Readonly<Record<Kind, object>> = {
  listener: { port: 2576, timeZone: 'Europe/Berlin' },
  destination: { host: 'ehr.hospital.example', port: 2575, receivingApplication: 'EHR' },
  webhook: { url: 'https://ward.hospital.example/sutura', types: ['report.ready', 'report.amended'] },
};

interface NewPeerProps {
  readonly organizationId: string | undefined;
  readonly environment: string | undefined;
}

/** Makes a listener, a destination or a webhook of the organization and environment that are chosen. */
export function NewPeer({ organizationId, environment }: NewPeerProps) {
  const queries = useQueryClient();
  const [kind, setKind] = useState<Kind | null>(null);
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const make = useMutation({
    mutationFn: async () => {
      const settings = readSettings(text);
      const owner = { organizationId, environment };
      const [path, body] =
        kind === 'webhook'
          ? ['/admin/v1/webhooks', { ...owner, ...(settings as object) }]
          : [`/admin/v1/hl7/${kind}s`, { ...owner, name, settings }];
      return (await ask<{ secret?: string }>('POST', path, { body })).data;
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['read'] }),
  });
  const begin = (next: Kind) => {
    make.reset();
    setKind(next);
    setText(JSON.stringify(FIRST_SETTINGS[next], null, 2));
  };
  const read = kind === null ? {} : readSettings(text);
  const isWhole = typeof read !== 'string' && (kind === 'webhook' || name.trim() !== '');
  if (organizationId === undefined || environment === undefined)
    return <p className="hint">Choose one organization and environment to make something new there.</p>;
  return (
    <section className="stack" aria-label="New">
      <div className="row">
        {(['listener', 'destination', 'webhook'] as const).map((each) => (
          <Button key={each} onPress={() => begin(each)}>
            New {each}
          </Button>
        ))}
      </div>
      {kind === null ? null : (
        <div className="card stack">
          {kind === 'webhook' ? null : <TextField label="Its name" value={name} onChange={setName} />}
          <label className="field">
            <span className="label">Settings of the new {kind}</span>
            <textarea
              className="input mono"
              rows={6}
              spellCheck={false}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </label>
          {typeof read === 'string' ? <p className="notice warn">{read}</p> : null}
          <RefusalNotice fault={make.error} />
          {make.data === undefined ? null : (
            <p className="notice good" role="status">
              The {kind} was made.
            </p>
          )}
          {make.data?.secret === undefined ? null : (
            <ShownOnce what="The secret of the webhook" text={make.data.secret} />
          )}
          <div className="row">
            <Button look="primary" isDisabled={!isWhole || make.isPending} onPress={() => make.mutate()}>
              Make the {kind}
            </Button>
            <Button onPress={() => setKind(null)}>Close</Button>
          </div>
        </div>
      )}
    </section>
  );
}
