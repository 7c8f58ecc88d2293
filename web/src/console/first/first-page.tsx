import { Link } from 'react-router';
import { RefusalNotice } from '../../shared/components/refusal-notice.js';
import { ActButton } from '../shared/act-button.js';
import type { Finding, Standing } from '../shared/answers.js';
import { lengthBetween } from '../shared/lengths.js';
import { useRead } from '../shared/reads.js';
import { moment } from '../shared/zone.js';
import { mayAct, useSession } from '../session.js';
import { trialInWords } from '../peers/trial-words.js';
import { placeOf, proofInWords, unseenInWords, verdictOf, waitingInWords } from './standing-words.js';
import './standing.css';
import { PageHeading } from '../shared/page-heading.js';

/** Read again while the page is seen. */
const EVERY_MS = 5000;

/** What is broken, since when and how it is mended; then what waits; then what is well, with the last proof of it. */
export function FirstPage() {
  const { data, error } = useRead<Standing>('/admin/v1/standing', { everyMs: EVERY_MS });
  return (
    <div className="stack">
      <PageHeading title="What needs a person now" />
      {error === null ? null : <RefusalNotice fault={error} />}
      {data === undefined && error === null ? (
        <p role="status" className="hint">
          Looking …
        </p>
      ) : null}
      {data === undefined ? null : <Shown standing={data} isOld={error !== null} />}
    </div>
  );
}

interface ShownProps {
  readonly standing: Standing;
  /** It could not be read again: what is shown may have changed. */
  readonly isOld: boolean;
}

function Shown({ standing, isOld }: ShownProps) {
  const { at, findings, state, unseen } = standing;
  const of = (wanted: Finding['state']) => findings.filter((one) => one.state === wanted);
  const notShown = unseenInWords(unseen);
  const isGood = state === 'well' && !isOld;
  return (
    <>
      <p className={isGood ? 'notice good' : state === 'broken' ? 'notice bad' : 'notice'}>
        <strong>{verdictOf(standing)}</strong>{' '}
        <span className="hint">
          {isOld ? `As it was at ${moment(at)}; it cannot be read now.` : `Looked at ${moment(at)}.`}
        </span>
      </p>
      {notShown === null ? null : <p className="hint">{notShown}</p>}
      <Findings title="Broken" tone="bad" findings={of('broken')} at={at} />
      <Findings title="Waits for a person" tone="warn" findings={of('waiting')} at={at} />
      <Findings title="Not known" tone="" findings={of('unknown')} at={at} />
      <WellList findings={of('well')} at={at} />
    </>
  );
}

interface FindingsProps {
  readonly title: string;
  readonly tone: 'bad' | 'warn' | '';
  readonly findings: readonly Finding[];
  readonly at: string;
}

function Findings({ title, tone, findings, at }: FindingsProps) {
  if (findings.length === 0) return null;
  return (
    <section className="stack" aria-label={title}>
      <h2>{title}</h2>
      <ul className="needs">
        {findings.map((one, place) => (
          <li key={`${one.part} ${one.subjectId ?? ''} ${one.fault ?? ''} ${place}`} className={`notice ${tone}`}>
            <FindingCard found={one} at={at} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function FindingCard({ found, at }: { readonly found: Finding; readonly at: string }) {
  const session = useSession();
  const { part, fault, state, words, since, organizationName, environment, organizationId, nextStep, subjectId } =
    found;
  const place = placeOf(found);
  const facts = [
    since === null ? null : `since ${moment(since)} (${lengthBetween(since, at)})`,
    waitingInWords(found, at),
    state === 'unknown' ? null : proofInWords(found, at),
  ].filter((fact) => fact !== null);
  const path = `/admin/v1/deliveries/endpoints/${subjectId ?? ''}`;
  const isIntegrator = organizationId !== null && mayAct(session, 'integrator', organizationId);
  const isTested = isIntegrator && part === 'receivers' && state === 'broken';
  return (
    <div className="finding">
      <div>
        <strong>{words}</strong>
        {organizationName === null ? null : (
          <span className="hint"> {[organizationName, environment].filter((part) => part !== null).join(', ')}</span>
        )}
        {facts.length === 0 ? null : <p>{facts.join(' · ')}</p>}
        {nextStep === null ? null : <p className="hint">{nextStep}</p>}
      </div>
      <div className="row">
        {isIntegrator && (fault === 'endpoint_paused' || fault === 'endpoint_disabled') ? (
          <ActButton label="Resume" path={`${path}/resume`} done="It is resumed: what waits is being sent." />
        ) : null}
        {isTested ? <ActButton label="Test" path={`${path}/test`} done={trialInWords} /> : null}
        {place === null ? null : <Link to={place.to}>{place.what}</Link>}
      </div>
    </div>
  );
}

function WellList({ findings, at }: { readonly findings: readonly Finding[]; readonly at: string }) {
  if (findings.length === 0) return null;
  return (
    <section className="stack" aria-label="Looked at">
      <h2>Looked at, and nothing is wrong</h2>
      <ul className="well">
        {findings.map((one, place) => (
          <li key={`${one.part} ${place}`}>
            {one.words} <span className="hint">{proofInWords(one, at)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
