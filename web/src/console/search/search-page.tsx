import { Link, useSearchParams } from 'react-router';
import { Refusal } from '../../shared/api.js';
import { RefusalNotice } from '../../shared/components/refusal-notice.js';
import { MessageTable } from '../messages/message-table.js';
import type { Items, Message, Trace } from '../shared/answers.js';
import { useOrganizations } from '../shared/organization-choice.js';
import { pathWith, useReads } from '../shared/reads.js';
import { useSession } from '../session.js';
import { Traced } from './traced.js';
import { PageHeading } from '../shared/page-heading.js';

/** What a number is, and everything that happened to what it names. */
export function SearchPage() {
  const [query] = useSearchParams();
  const asked = normalized(query.get('q') ?? '');
  if (asked === '')
    return (
      <div className="stack">
        <PageHeading title="Search" />
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
  const { user } = useSession();
  const traces = useTraces(asked);
  const messages = useMessagesOf(asked);
  const found = traces.flatMap(({ data }) => (data === undefined ? [] : { ...data, names: data.names ?? {} }));
  const isReading = [...traces, ...messages.flatMap(({ reads }) => reads)].some(({ isPending }) => isPending);
  const faults = traces.flatMap(({ error }) => (error === null || isNotFound(error) ? [] : [error]));
  const isNowhere = found.length === 0 && faults.length === 0 && messages.every(({ items }) => items.length === 0);
  return (
    <div className="stack">
      <PageHeading title={`Search: ${asked}`}>
        Search: <span className="mono">{asked}</span>
      </PageHeading>
      {isReading ? (
        <p role="status" className="hint">
          Looking …
        </p>
      ) : null}
      {faults.slice(0, 1).map((fault, place) => (
        <RefusalNotice key={place} fault={fault} />
      ))}
      {found.map((trace, place) => (
        <Traced key={place} trace={trace} />
      ))}
      {messages.map(({ title, items, error }) => (
        <section key={title} className="stack" aria-label={title}>
          {error === null ? null : <RefusalNotice fault={error} />}
          {items.length === 0 ? null : (
            <>
              <h2>{title}</h2>
              <MessageTable messages={items} />
            </>
          )}
        </section>
      ))}
      {isNowhere && !isReading ? <Nothing asked={asked} mayTrace={user.installationAdmin} /> : null}
    </div>
  );
}

const isNotFound = (error: unknown): boolean => error instanceof Refusal && error.status === 404;

/** The release before, which may still answer while another takes its place, names nothing. */
type SaidTrace = Omit<Trace, 'names'> & Partial<Pick<Trace, 'names'>>;

/** Of everybody for installation admins; of others in each organization that they have a role in. */
function useTraces(asked: string) {
  const { user } = useSession();
  const own = useOrganizations('viewer');
  const wheres: readonly { readonly organizationId?: string }[] = user.installationAdmin
    ? [{}]
    : own.map(({ id }) => ({ organizationId: id }));
  return useReads<SaidTrace>(wheres.map((where) => pathWith('/admin/v1/trace', { id: asked, ...where })));
}

const NUMBERS = [
  ['patient', 'Messages of this patient'],
  ['order', 'Messages of this order'],
  ['controlId', 'Messages with this control id'],
] as const;

/** Messages by patient, order or control id, in the organizations of which the person may see them. */
function useMessagesOf(asked: string) {
  const { user } = useSession();
  const own = useOrganizations('integrator');
  const wheres: readonly (string | undefined)[] = user.installationAdmin ? [undefined] : own.map(({ id }) => id);
  const reads = useReads<Items<Message>>(
    NUMBERS.flatMap(([field]) =>
      wheres.map((organizationId) =>
        pathWith('/admin/v1/hl7/messages', { direction: 'in', organizationId, [field]: asked, limit: 50 }),
      ),
    ),
  );
  return NUMBERS.map(([, title], place) => {
    const these = reads.slice(place * wheres.length, (place + 1) * wheres.length);
    return {
      title,
      reads: these,
      items: these.flatMap(({ data }) => data?.items ?? []),
      error: these.find(({ error }) => error !== null)?.error ?? null,
    };
  });
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
