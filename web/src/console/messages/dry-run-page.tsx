import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { ask } from '../../shared/api.js';
import { Button } from '../../shared/components/controls.js';
import { RefusalNotice } from '../../shared/components/refusal-notice.js';
import type { DryRun, Hl7Problem, Items, Listener, MessageDetail } from '../shared/answers.js';
import { OrganizationChoice, useChoice } from '../shared/organization-choice.js';
import { pathWith, useRead } from '../shared/reads.js';
import { Tag } from '../shared/tag.js';
import { SegmentView } from './segment-view.js';
import { markedPlace } from './marked-place.js';
import { PageHeading } from '../shared/page-heading.js';

/** What a message would do if it came to a listener; nothing is stored. */
export function DryRunPage() {
  const [query] = useSearchParams();
  const from = query.get('from');
  const source = useRead<MessageDetail>(`/admin/v1/hl7/messages/${encodeURIComponent(from ?? '')}`, {
    isAsked: from !== null,
  });
  const { organizationId } = useChoice('integrator');
  const listeners = useRead<Items<Listener>>(pathWith('/admin/v1/hl7/listeners', { organizationId }));
  const [listenerId, setListenerId] = useState('');
  const [text, setText] = useState('');
  useEffect(() => {
    if (source.data !== undefined) setText(source.data.message.replaceAll('\r', '\n').trim());
  }, [source.data]);
  const items = listeners.data?.items ?? [];
  const chosen = listenerId === '' ? items[0]?.id : listenerId;
  const trial = useMutation({
    mutationFn: async () =>
      (
        await ask<DryRun>('POST', '/admin/v1/hl7/dry-run', {
          body: {
            listenerId: chosen,
            message: `${text
              .trim()
              .split(/\r\n?|\n/)
              .join('\r')}\r`,
          },
        })
      ).data,
  });
  return (
    <div className="stack">
      <PageHeading title="Try a message" />
      <p className="hint">What it would do if it came to a listener. Nothing is stored, and nothing is sent.</p>
      <div className="filters">
        <OrganizationChoice role="integrator" />
        <label className="field">
          <span className="label">Listener</span>
          <select className="input" value={chosen ?? ''} onChange={(event) => setListenerId(event.target.value)}>
            {items.map(({ id, name, environment }) => (
              <option key={id} value={id}>
                {name} ({environment})
              </option>
            ))}
          </select>
        </label>
      </div>
      <RefusalNotice fault={listeners.error} />
      {listeners.data !== undefined && items.length === 0 ? (
        <p className="notice warn">There is no listener to try it on. Make one first.</p>
      ) : null}
      <label className="field">
        <span className="label">HL7 v2 message</span>
        <textarea
          className="input mono"
          rows={12}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder="MSH|^~\&|…"
        />
      </label>
      <div className="row">
        <Button
          look="primary"
          onPress={() => trial.mutate()}
          isDisabled={trial.isPending || text.trim() === '' || chosen === undefined}
        >
          Try it
        </Button>
      </div>
      <RefusalNotice fault={trial.error} />
      {trial.data === undefined ? null : <Outcome trial={trial.data} text={text} />}
    </div>
  );
}

function Outcome({ trial, text }: { readonly trial: DryRun; readonly text: string }) {
  const isRefused = trial.acknowledgment !== null && trial.acknowledgment !== 'AA';
  return (
    <section className="stack" aria-label="What it would do" role="status">
      <h2 className="row">
        {trial.messageType} <span className="mono">{trial.controlId}</span>
        <Tag tone={isRefused ? 'bad' : 'good'}>
          {trial.acknowledgment === null ? 'no acknowledgment' : `acknowledged by ${trial.acknowledgment}`}
        </Tag>
      </h2>
      {trial.problems.length === 0 ? (
        <p className="notice good">Nothing is wrong with it.</p>
      ) : (
        <ul className="stack">
          {trial.problems.map((problem, place) => (
            <li key={place} className={problem.severity === 'error' ? 'notice bad' : 'notice warn'}>
              {problem.text}
              <Marked problem={problem} text={text} />
            </li>
          ))}
        </ul>
      )}
      <h2>What it does</h2>
      <ul>
        {trial.effects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
      <h2>By its segments</h2>
      <SegmentView label="Message by its segments" message={text} />
      {trial.bundle === null ? null : (
        <details>
          <summary>As FHIR</summary>
          <pre className="card raw">{JSON.stringify(trial.bundle, null, 2)}</pre>
        </details>
      )}
    </section>
  );
}

function Marked({ problem, text }: { readonly problem: Hl7Problem; readonly text: string }) {
  const found = markedPlace(text, problem.place);
  if (found === null) return null;
  return (
    <p className="mono">
      {found.name}: {found.before}
      <mark>{found.marked === '' ? '(empty)' : found.marked}</mark>
      {found.after}
    </p>
  );
}
