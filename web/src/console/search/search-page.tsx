import { Link, useSearchParams } from 'react-router';
import { Refusal } from '../../shared/api.js';
import { RefusalNotice } from '../../shared/components/refusal-notice.js';
import { MessageTable } from '../messages/message-table.js';
import type { Items, Message, Trace } from '../shared/answers.js';
import { useOrganizations } from '../shared/organization-choice.js';
import { pathWith, useRead } from '../shared/reads.js';
import { TAKEN_FOR } from '../shared/words.js';
import { mayAct, useSession } from '../session.js';
import { Timeline } from './timeline.js';

/** What a number is, and everything that happened to what it names. */
export function SearchPage() {
  const [query] = useSearchParams();
  const asked = normalized(query.get('q') ?? '');
  if (asked === '')
    return (
      <div className="stack">
        <h1>Search</h1>
        <p>
          Type a number into the box above: of an order (placer, filler or accession), a patient, an image, a job, a
          report, a wound, a message (MSH-10 or its id), a delivery, or a request.
        </p>
      </div>
    );
  return <Found key={asked} asked={asked} />;
}

/** What people copy with a number: spaces, quotes, the rest of a field of HL7. */
function normalized(text: string): string {
  const bare = text.trim().replace(/^["'“”„‚‘’<]+|["'“”‚‘’>.,;]+$/g, '');
  return (bare.split('^')[0] ?? '').trim().slice(0, 200);
}

function Found({ asked }: { readonly asked: string }) {
  const session = useSession();
  const mayTrace = session.user.installationAdmin;
  const trace = useRead<Trace>(pathWith('/admin/v1/trace', { id: asked }), { isAsked: mayTrace });
  const messages = useMessagesOf(asked);
  const isNowhere =
    (!mayTrace || isNotFound(trace.error)) && messages.every(({ items }) => items !== undefined && items.length === 0);
  const isReading = (mayTrace && trace.isPending) || messages.some(({ isPending }) => isPending);
  return (
    <div className="stack">
      <h1>
        Search: <span className="mono">{asked}</span>
      </h1>
      {isReading ? (
        <p role="status" className="hint">
          Looking …
        </p>
      ) : null}
      {trace.error !== null && !isNotFound(trace.error) ? <RefusalNotice fault={trace.error} /> : null}
      {trace.data === undefined ? null : <Traced trace={trace.data} />}
      {messages.map(({ title, items, error }) => (
        <section key={title} className="stack" aria-label={title}>
          {error === null ? null : <RefusalNotice fault={error} />}
          {items === undefined || items.length === 0 ? null : (
            <>
              <h2>{title}</h2>
              <MessageTable messages={items} />
            </>
          )}
        </section>
      ))}
      {isNowhere && !isReading ? <Nothing asked={asked} mayTrace={mayTrace} /> : null}
    </div>
  );
}

const isNotFound = (error: unknown): boolean => error instanceof Refusal && error.status === 404;

/** Messages by patient or order number; of people with roles alone those of their first organization. */
function useMessagesOf(asked: string) {
  const session = useSession();
  const [first] = useOrganizations('integrator');
  const organizationId = session.user.installationAdmin ? undefined : first?.id;
  const isAsked = mayAct(session, 'integrator') && (session.user.installationAdmin || first !== undefined);
  const path = (field: string) =>
    pathWith('/admin/v1/hl7/messages', { direction: 'in', organizationId, [field]: asked, limit: 50 });
  const reads = [
    { title: 'Messages of this patient', read: useRead<Items<Message>>(path('patient'), { isAsked }) },
    { title: 'Messages of this order', read: useRead<Items<Message>>(path('order'), { isAsked }) },
    { title: 'Messages with this control id', read: useRead<Items<Message>>(path('controlId'), { isAsked }) },
  ];
  return reads.map(({ title, read: { data, error, isPending } }) => ({
    title,
    items: isAsked ? data?.items : [],
    error,
    isPending: isAsked && isPending,
  }));
}

function Traced({ trace: { takenFor, photos, apart, hasMore } }: { readonly trace: Trace }) {
  return (
    <>
      <p>Found as {takenFor.map((kind) => TAKEN_FOR[kind] ?? kind).join(' and ')}.</p>
      {photos.map(({ imageId, organizationId, environment, events }) => (
        <section key={imageId} className="card stack" aria-label={`Photo ${imageId}`}>
          <h2>
            Photo <code>{imageId}</code>
          </h2>
          <p className="hint">
            {environment}, organization <code>{organizationId}</code>
          </p>
          <Timeline events={events} />
        </section>
      ))}
      {apart.map(({ organizationId, environment, events }, place) => (
        <section key={place} className="card stack" aria-label="What led to no photo">
          <h2>What led to no photo</h2>
          <p className="hint">
            {environment}, organization <code>{organizationId}</code>
          </p>
          <Timeline events={events} />
        </section>
      ))}
      {hasMore ? <p className="notice warn">There are more photos than are shown. Search for one of them.</p> : null}
    </>
  );
}

function Nothing({ asked, mayTrace }: { readonly asked: string; readonly mayTrace: boolean }) {
  return (
    <div className="notice warn stack">
      <p>
        Nothing here has the number <code>{asked}</code>. Numbers are compared as a whole, so look for a missing digit
        or a letter too many.
      </p>
      {mayTrace ? (
        <p>
          If the sender says that a message went out: nothing of it came. Look at{' '}
          <Link to="/messages?direction=in&state=failed">what was refused</Link>, and whether its{' '}
          <Link to="/peers">listener</Link> is served; then have the sender look for the acknowledgment.
        </p>
      ) : (
        <p>You see what is of your organizations. An installation admin can look through all of them.</p>
      )}
    </div>
  );
}
