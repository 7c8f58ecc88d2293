import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../shared/api.js';
import { Button, TextField } from '../../shared/components/controls.js';
import { RefusalNotice } from '../../shared/components/refusal-notice.js';
import type { Environment } from '../shared/answers.js';
import { readSettings } from '../shared/changed-settings.js';
import { EHR_KINDS } from './ehr-settings.js';

interface NewEhrProps {
  /** Of the EHRs of the organization in the admin API. */
  readonly path: string;
  readonly environment: Environment | undefined;
}

/** Registers an EHR, from the settings that its kind begins with. */
export function NewEhr({ path, environment }: NewEhrProps) {
  const queries = useQueryClient();
  const [kind, setKind] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const read = readSettings(text);
  const make = useMutation({
    mutationFn: async () => ask('POST', path, { body: { ...(read as object), name, environment } }),
    onSuccess: () => {
      // What was typed may have a secret in it.
      setKind(null);
      setName('');
      setText('');
      return queries.invalidateQueries({ queryKey: ['read'] });
    },
  });
  if (environment === undefined) return <p className="hint">Choose an environment to register an EHR there.</p>;
  const begin = ({ label, settings }: (typeof EHR_KINDS)[number]) => {
    make.reset();
    setKind(label);
    setText(JSON.stringify(settings, null, 2));
  };
  return (
    <section className="stack" aria-label="New EHR">
      <div className="row">
        {EHR_KINDS.map((each) => (
          <Button key={each.label} onPress={() => begin(each)}>
            New EHR: {each.label}
          </Button>
        ))}
      </div>
      {make.isSuccess ? (
        <p className="notice good" role="status">
          The EHR is registered. Test it, then enter its addresses there.
        </p>
      ) : null}
      {kind === null ? null : (
        <div className="card stack">
          <p className="hint">
            Put in the addresses and client ids of your {kind}; what to ask for there is in the docs, under{' '}
            <a href="/docs/ehrs.html">EHRs</a>. A token or secret is not shown again.
          </p>
          <TextField label="Its name" value={name} onChange={setName} />
          <label className="field">
            <span className="label">Settings of the new EHR</span>
            <textarea
              className="input mono"
              rows={16}
              spellCheck={false}
              autoComplete="off"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </label>
          {typeof read === 'string' ? <p className="notice warn">{read}</p> : null}
          <RefusalNotice fault={make.error} />
          <div className="row">
            <Button
              look="primary"
              isDisabled={typeof read === 'string' || name.trim() === '' || make.isPending}
              onPress={() => make.mutate()}
            >
              Register the EHR
            </Button>
            <Button onPress={() => setKind(null)}>Close</Button>
          </div>
        </div>
      )}
    </section>
  );
}
