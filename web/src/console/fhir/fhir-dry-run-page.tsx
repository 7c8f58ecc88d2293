import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { ask } from '../../shared/api.js';
import { Button } from '../../shared/components/controls.js';
import { RefusalNotice } from '../../shared/components/refusal-notice.js';
import type { FhirDryRun, FhirIssue } from '../shared/answers.js';
import { OrganizationChoice, useChoice } from '../shared/organization-choice.js';
import { pathWith } from '../shared/reads.js';
import { Tag } from '../shared/tag.js';
import { mayAct, useSession } from '../session.js';
import { brokenPlace, placeOf, type JsonPlace } from './json-place.js';
import { PageHeading } from '../shared/page-heading.js';

/** What a resource or Bundle would do if a client posted it; it is done and taken back. */
export function FhirDryRunPage() {
  const [query] = useSearchParams();
  const { organizationId, environment: chosen } = useChoice('integrator');
  const environment = chosen ?? 'test';
  const session = useSession();
  const [text, setText] = useState('');
  const [tried, setTried] = useState('');
  const box = useRef<HTMLTextAreaElement>(null);
  const trial = useMutation({
    mutationFn: async () => {
      setTried(text);
      const path = pathWith('/admin/v1/fhir/dry-run', { organizationId, environment });
      return (await ask<FhirDryRun>('POST', path, { text })).data;
    },
  });
  const broken = text.trim() === '' ? null : brokenPlace(text);
  const show = ({ offset, length }: JsonPlace) => {
    box.current?.focus();
    box.current?.setSelectionRange(offset, offset + length);
  };
  return (
    <div className="stack">
      <PageHeading title="Try FHIR" />
      <p className="hint">
        What a resource or Bundle would do if a key of the organization posted it to <code>/fhir</code>. It is done and
        taken back: nothing is stored, charged or sent.
      </p>
      <div className="filters">
        <OrganizationChoice role="integrator" />
      </div>
      {query.get('environment') === null ? <p className="hint">Without a choice it is tried in test.</p> : null}
      <label className="field">
        <span className="label">FHIR resource or Bundle, as JSON</span>
        <textarea
          ref={box}
          className="input mono"
          rows={16}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder='{ "resourceType": "Bundle", "type": "transaction", "entry": [ … ] }'
        />
      </label>
      {broken === null ? null : (
        <div className="notice warn row">
          <span>
            This is no JSON from line {broken.place.line}, column {broken.place.column} on.
          </span>
          <Button onPress={() => show(broken.place)}>Show the place</Button>
        </div>
      )}
      <div className="row">
        <Button
          look="primary"
          onPress={() => trial.mutate()}
          isDisabled={trial.isPending || text.trim() === '' || broken !== null || organizationId === undefined}
        >
          Try it
        </Button>
        {organizationId !== undefined ? null : (
          <span className="hint">
            {mayAct(session, 'integrator')
              ? 'Choose the organization first.'
              : 'This is for people with the role integrator.'}
          </span>
        )}
      </div>
      <RefusalNotice fault={trial.error} />
      {trial.data === undefined ? null : <Outcome trial={trial.data} text={tried} show={show} isOld={tried !== text} />}
    </div>
  );
}

const OUTCOMES: Readonly<Record<FhirDryRun['entries'][number]['outcome'], string>> = {
  created: 'would be made',
  matched: 'there is one already, which is used',
  updated: 'would be changed',
  read: 'would be read',
  ignored: 'would be set aside: its type is not kept here',
  refused: 'would not be taken',
};

interface OutcomeProps {
  readonly trial: FhirDryRun;
  /** As it was tried. */
  readonly text: string;
  readonly show: (place: JsonPlace) => void;
  /** True: the text was changed since. */
  readonly isOld: boolean;
}

function Outcome({ trial: { kind, taken, entries, analyses, issues }, text, show, isOld }: OutcomeProps) {
  return (
    <section className="stack" aria-label="What it would do" role="status">
      <h2 className="row">
        What it would do <Tag tone={taken ? 'good' : 'bad'}>{verdict(kind, taken)}</Tag>
      </h2>
      {isOld ? <p className="hint">The text was changed since. Try it again.</p> : null}
      {issues.length === 0 ? <p className="notice good">Nothing is wrong with it.</p> : null}
      <ul className="stack">
        {issues.map((issue, place) => (
          <Issue key={place} issue={issue} text={text} show={isOld ? null : show} />
        ))}
      </ul>
      <ul>
        {entries.map(({ index, request, outcome }) => (
          <li key={index}>
            <code>{request}</code> {OUTCOMES[outcome]}
          </li>
        ))}
        {taken ? (
          <li>
            {analyses === 0
              ? 'No analysis is asked for, and nothing is charged.'
              : `${analyses} ${analyses === 1 ? 'analysis belongs' : 'analyses belong'} to it; each that is new would be charged.`}
          </li>
        ) : null}
      </ul>
    </section>
  );
}

function verdict(kind: FhirDryRun['kind'], isTaken: boolean): string {
  if (isTaken) return 'it would be taken';
  return kind === 'batch' ? 'not all of it would be taken' : 'nothing of it would be taken';
}

interface IssueProps {
  readonly issue: FhirIssue;
  readonly text: string;
  readonly show: ((place: JsonPlace) => void) | null;
}

const AROUND = 60;

function Issue({ issue: { severity, expression, text: said }, text, show }: IssueProps) {
  const place = placeOf(text, expression);
  const isBad = severity === 'error' || severity === 'fatal';
  return (
    <li className={isBad ? 'notice bad' : 'notice warn'}>
      {said}
      <p className="row">
        {expression === null ? null : <code>{expression}</code>}
        {place === null ? null : (
          <>
            <span>
              line {place.line}, column {place.column}
            </span>
            {show === null ? null : <Button onPress={() => show(place)}>Show the place</Button>}
          </>
        )}
      </p>
      {place === null ? null : (
        <p className="mono">
          <mark>{cut(text.slice(place.offset, place.offset + place.length))}</mark>
        </p>
      )}
    </li>
  );
}

const cut = (value: string): string => (value.length <= AROUND ? value : `${value.slice(0, AROUND)} …`);
