import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { TextField } from '../../shared/components/controls.js';
import { mayAct, useSession } from '../session.js';
import { ActButton } from '../shared/act-button.js';
import type { HeldAction, HeldItem } from '../shared/answers.js';
import { Read } from '../shared/page-state.js';
import { useRead } from '../shared/reads.js';
import { moment } from '../shared/zone.js';
import { ACTION_WORDS, labelOf, linksOf, questionOf, REASON_WORDS } from './held-words.js';
import { PageHeading } from '../shared/page-heading.js';

/** One thing that waits: what came, what it waits for, and what a person can decide. */
export function HeldItemPage() {
  const { organizationId = '', heldId = '' } = useParams();
  const path = `/admin/v1/organizations/${encodeURIComponent(organizationId)}/held/${encodeURIComponent(heldId)}`;
  const read = useRead<HeldItem>(path);
  return (
    <Read read={read}>
      {(item) => (
        <div className="stack">
          <PageHeading title={REASON_WORDS[item.reason]} />
          <p>
            Waits since {moment(item.since)}, came by {item.door ?? 'several doors'}, {item.environment}.
          </p>
          <p className="notice warn">{item.waitsFor}</p>
          <h2>What came</h2>
          <ul>
            {linksOf(item).map(({ words, to }) => (
              <li key={words}>
                <Link to={to}>{words}</Link>
              </li>
            ))}
          </ul>
          <h2>What can be done</h2>
          <Decisions item={item} path={path} />
        </div>
      )}
    </Read>
  );
}

function Decisions({ item, path }: { readonly item: HeldItem; readonly path: string }) {
  const session = useSession();
  const [note, setNote] = useState('');
  if (item.actions.length === 0) return <p>Nothing by hand: it goes on by itself once what it waits for has come.</p>;
  if (!mayAct(session, 'reviewer', item.organizationId))
    return <p className="hint">A person with the role reviewer in this organization decides about it.</p>;
  const list = `/console/held?${new URLSearchParams({ organizationId: item.organizationId }).toString()}`;
  return (
    <div className="stack">
      <TextField label="Why" hint="for the history" maxLength={500} value={note} onChange={setNote} />
      {item.actions.map((action) => (
        <Decision key={action} item={item} action={action} path={path} note={note} list={list} />
      ))}
    </div>
  );
}

interface DecisionProps {
  readonly item: HeldItem;
  readonly action: HeldAction;
  readonly path: string;
  readonly note: string;
  /** Where the person goes once it is decided. */
  readonly list: string;
}

function Decision({ item, action, path, note, list }: DecisionProps) {
  const { asks } = ACTION_WORDS[action];
  const label = labelOf(item.reason, action);
  const [stated, setStated] = useState('');
  const body = {
    action,
    ...(asks === undefined ? {} : { [asks.field]: stated.trim() }),
    ...(note.trim() === '' ? {} : { note: note.trim() }),
  };
  return (
    <div className="row">
      {asks === undefined ? null : (
        <TextField label={asks.label} hint={asks.hint} value={stated} onChange={setStated} />
      )}
      {asks !== undefined && stated.trim() === '' ? (
        <span className="hint">
          {label}: say first {asks.label.toLowerCase()}.
        </span>
      ) : (
        <ActButton
          label={label}
          path={`${path}/resolve`}
          body={body}
          question={questionOf(item.reason, action)}
          done="It is decided. What follows from that is done within seconds, and can still be refused: look at the list and the messages again."
          next={() => list}
          {...(action === 'discard' ? { look: 'danger' as const } : {})}
        />
      )}
    </div>
  );
}
