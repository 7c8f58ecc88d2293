import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ask } from '../../shared/api.js';
import { Button } from '../../shared/components/controls.js';
import { RefusalNotice } from '../../shared/components/refusal-notice.js';
import { ActButton } from '../shared/act-button.js';
import type { Ehr, EhrTrial, Endpoint } from '../shared/answers.js';
import { pathWith } from '../shared/reads.js';
import { Tag } from '../shared/tag.js';
import { mayAct, useSession } from '../session.js';
import { changedEhr, statedOfEhr, usesInWords } from './ehr-settings.js';
import { EndpointState, Trouble } from './endpoint-cards.js';
import { SettingsEditor } from './settings-editor.js';

interface EhrCardProps {
  readonly ehr: Ehr;
  /** Of this EHR in the admin API. */
  readonly path: string;
  /** What is known of it as a receiver; undefined: not read yet, or nothing is filed there. Whether it takes results, this does not say. */
  readonly endpoint: Endpoint | undefined;
}

/** One EHR: what it does here, what it was sent, its test and its settings. */
export function EhrCard({ ehr, path, endpoint }: EhrCardProps) {
  const session = useSession();
  const { id, name, environment, fhirBaseUrl, organizationId, patientSystem, push } = ehr;
  const isFiled = push?.enabled === true;
  const isIntegrator = mayAct(session, 'integrator', organizationId);
  const isAdmin = mayAct(session, 'admin', organizationId);
  return (
    <section className="card stack" aria-label={`EHR ${name}`}>
      <div className="row">
        <strong>{name}</strong>
        <Tag>{environment}</Tag>
        {isFiled ? <KnownState endpoint={endpoint} /> : null}
        <span className="hint mono">{fhirBaseUrl}</span>
      </div>
      <p className="hint">It {usesInWords(ehr)}.</p>
      {patientSystem === null ? (
        <p className="notice warn">
          It has no patientSystem: no patient of it is found here, nothing opens and nothing is filed.
        </p>
      ) : null}
      {isFiled ? <Trouble endpoint={endpoint} /> : null}
      <Addresses ehr={ehr} />
      <Deliveries ehr={ehr} />
      {isIntegrator ? (
        <>
          <Trial key={ehr.updatedAt} path={path} />
          <div className="row">
            {isFiled ? <Holding id={id} state={endpoint?.state} /> : null}
            {isAdmin ? (
              <ActButton
                label="Remove"
                method="DELETE"
                path={path}
                look="danger"
                question="Its launches and cards end, and what waits for it is not filed any more. What it has filed stays there. Numbers of patients without a system count as those of the organization’s other EHR from then on: see that none was of this one."
                done={`${name} is removed.`}
              />
            ) : null}
          </div>
          <SettingsEditor path={path} settings={statedOfEhr(ehr)} of={`EHR ${name}`} toChange={changedEhr} />
        </>
      ) : null}
    </section>
  );
}

/** What is wrong, if anything is known to be. That nothing is known is no good news: how it stands is on the connection board. */
function KnownState({ endpoint }: Pick<EhrCardProps, 'endpoint'>) {
  const isKnown = endpoint !== undefined && (endpoint.state !== 'active' || endpoint.trouble !== undefined);
  return isKnown ? <EndpointState endpoint={endpoint} /> : null;
}

/** What to enter at the EHR, to the character. */
function Addresses({ ehr: { addresses } }: Pick<EhrCardProps, 'ehr'>) {
  return (
    <details>
      <summary>Addresses to enter there</summary>
      <ul>
        {Object.entries(addresses).map(([what, address]) => (
          <li key={what}>
            {what}: <span className="mono">{address}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** What became of results, by state. */
function Deliveries({ ehr: { id, push, deliveries } }: Pick<EhrCardProps, 'ehr'>) {
  if (push === null || deliveries === undefined) return null;
  const { waiting, sent, held, parked } = deliveries;
  const stopped = [
    ...(held === 0 ? [] : [`${held} held: a person has to decide`]),
    ...(parked === 0 ? [] : [`${parked} parked by a person`]),
  ];
  return (
    <div className="row">
      <Link to={pathWith('/deliveries', { endpointId: id })}>{`Deliveries: ${sent} sent, ${waiting} waiting`}</Link>
      {stopped.length === 0 ? null : (
        <Link to={pathWith('/deliveries', { endpointId: id, state: 'parked' })}>{stopped.join(', ')}</Link>
      )}
      <Link to={pathWith('/connections', { shown: id })}>How it stands</Link>
    </div>
  );
}

function Holding({ id, state }: { readonly id: string; readonly state: string | undefined }) {
  const path = `/admin/v1/deliveries/endpoints/${id}`;
  if (state === undefined) return null;
  return state === 'active' ? (
    <ActButton label="Pause" path={`${path}/pause`} question="What is made meanwhile waits." />
  ) : (
    <ActButton label="Resume" path={`${path}/resume`} done="It is resumed: what waits is being sent." />
  );
}

/** What the EHR says of itself, each finding as a line; nothing of a patient is asked or sent. */
function Trial({ path }: { readonly path: string }) {
  const trial = useMutation({ mutationFn: async () => (await ask<EhrTrial>('POST', `${path}/test`)).data });
  return (
    <div className="stack">
      <div className="row">
        <Button onPress={() => trial.mutate()} isDisabled={trial.isPending}>
          Test
        </Button>
        {trial.isPending ? <span className="hint">The EHR is asked what it is.</span> : null}
      </div>
      <RefusalNotice fault={trial.error} />
      {trial.data === undefined ? null : <Findings trial={trial.data} />}
    </div>
  );
}

function Findings({ trial: { findings } }: { readonly trial: EhrTrial }) {
  const wrong = findings.filter(({ isWell, isTried }) => isTried && !isWell).length;
  const untried = findings.filter(({ isTried }) => !isTried).length;
  return (
    <div className={wrong > 0 ? 'notice bad' : untried > 0 ? 'notice warn' : 'notice good'} role="status">
      <strong>
        {wrong > 0
          ? `${wrong} of ${findings.length} will not work until it is mended.`
          : untried > 0
            ? `What was tried fits. ${untried} of ${findings.length} cannot be tried from here: look at it yourself.`
            : 'What it says of itself fits. Whether it lets us in, and finds a patient, shows with the first result.'}
      </strong>
      <ul>
        {findings.map(({ about, isWell, isTried, says }) => (
          <li key={`${about} ${says}`}>
            {isWell ? 'Well' : isTried ? 'Not well' : 'Not tried'} ({about}): {says}
          </li>
        ))}
      </ul>
    </div>
  );
}
