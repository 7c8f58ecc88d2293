import { useState } from 'react';
import { Button } from '../../shared/components/controls.js';
import { mayAct, useSession } from '../session.js';
import { ActButton } from '../shared/act-button.js';
import type { Trace, TraceEvent } from '../shared/answers.js';
import { TAKEN_FOR } from '../shared/words.js';
import { merged } from './merged-events.js';
import { Timeline } from './timeline.js';

/** What a number led to: one timeline, or one for each photo. */
export function Traced({ trace }: { readonly trace: Trace }) {
  const { takenFor, photos, apart, hasMore } = trace;
  const parts = photos.length + apart.length;
  const isOfPatient = takenFor.includes('patient');
  const [isApart, setApart] = useState(!isOfPatient);
  return (
    <>
      <p className="row">
        <span>Found as {takenFor.map((kind) => TAKEN_FOR[kind]).join(' and ')}.</span>
        {parts < 2 ? null : (
          <Button onPress={() => setApart(!isApart)}>{isApart ? 'One timeline' : 'One timeline for each photo'}</Button>
        )}
      </p>
      {parts === 0 ? (
        <p className="notice">
          Nothing happened that a timeline could tell: no photo belongs to it, no order waits for one, and no message
          was refused.
        </p>
      ) : null}
      {hasMore ? <p className="notice warn">There are more photos than are shown. Search for one of them.</p> : null}
      {isApart || parts < 2 ? <EachPhoto trace={trace} /> : <Together trace={trace} />}
    </>
  );
}

function Together({ trace: { photos, apart, names } }: { readonly trace: Trace }) {
  return (
    <section className="card stack" aria-label="One timeline">
      <h2>Everything that happened, in its order</h2>
      <Timeline events={merged([...photos, ...apart])} names={names} />
    </section>
  );
}

function EachPhoto({ trace: { photos, apart, names } }: { readonly trace: Trace }) {
  return (
    <>
      {photos.map(({ imageId, organizationId, environment, events }) => (
        <Part
          key={imageId}
          name={`Photo ${imageId}`}
          heading={
            <>
              Photo <code>{imageId}</code>
            </>
          }
          owner={`${names[organizationId] ?? organizationId}, ${environment}`}
          events={events}
          names={names}
        >
          <DeskButton organizationId={organizationId} environment={environment} events={events} />
          <RetryButton organizationId={organizationId} environment={environment} events={events} />
        </Part>
      ))}
      {apart.map(({ organizationId, environment, events }, place) => (
        <Part
          key={place}
          name="What led to no photo"
          heading="What led to no photo"
          owner={`${names[organizationId] ?? organizationId}, ${environment}`}
          events={events}
          names={names}
        />
      ))}
    </>
  );
}

interface PartProps {
  readonly name: string;
  readonly heading: React.ReactNode;
  readonly owner: string;
  readonly events: readonly TraceEvent[];
  readonly names: Trace['names'];
  readonly children?: React.ReactNode;
}

function Part({ name, heading, owner, events, names, children }: PartProps) {
  return (
    <section className="card stack" aria-label={name}>
      <h2>{heading}</h2>
      <p className="hint">{owner}</p>
      {children}
      <Timeline events={events} names={names} />
    </section>
  );
}

interface PhotoButtonProps {
  readonly organizationId: string;
  readonly environment: string;
  readonly events: readonly TraceEvent[];
}

/** For those who decide about results there, once there is a report. */
function DeskButton({ organizationId, environment, events }: PhotoButtonProps) {
  const session = useSession();
  const reportId = reportOf(events);
  if (reportId === null || !mayAct(session, 'reviewer', organizationId)) return null;
  return (
    <ActButton
      label="Open at the review desk"
      path={`/admin/v1/organizations/${organizationId}/reports/${reportId}/review-links`}
      body={{ environment, of: 'wound' }}
      done="The review desk opens."
      next={(answer) => (answer as { readonly url: string }).url}
    />
  );
}

/** For a photo whose last analysis failed. */
function RetryButton({ organizationId, environment, events }: PhotoButtonProps) {
  const session = useSession();
  const id = failedJobOf(events);
  if (id === null || !mayAct(session, 'integrator', organizationId)) return null;
  return (
    <ActButton
      label="Analyse again"
      path={`/admin/v1/organizations/${organizationId}/jobs/retry`}
      body={{ environment, id }}
      done="The photo waits to be analysed again, at no charge. How that ends is shown here and told to its order and its receivers."
    />
  );
}

/** null: it did not fail, was cancelled, or was analysed again since. */
function failedJobOf(events: readonly TraceEvent[]): string | null {
  const last = events.findLast(({ what }) => what.startsWith('job.'));
  if (last?.what !== 'job.failed' || last.facts['code'] === 'job.cancelled') return null;
  return last.resources.map((resource) => /^Task\/([^/]+)/.exec(resource)?.[1]).find((id) => id !== undefined) ?? null;
}

function reportOf(events: readonly TraceEvent[]): string | null {
  const issued = events.findLast(({ what }) => what === 'report.version')?.resources ?? [];
  return (
    issued.map((resource) => /^DiagnosticReport\/([^/]+)/.exec(resource)?.[1]).find((id) => id !== undefined) ?? null
  );
}
