import type { Ehr, Endpoint, Environment, Items } from '../shared/answers.js';
import { Read } from '../shared/page-state.js';
import { useRead } from '../shared/reads.js';
import { mayAct, useSession } from '../session.js';
import { EhrCard } from './ehr-card.js';
import { NewEhr } from './new-ehr.js';

/** Read again while the page is seen. */
const EVERY_MS = 15_000;

interface EhrsPartProps {
  readonly organizationId: string | undefined;
  readonly environment: Environment | undefined;
  /** What is known of where results go; undefined: not read yet. */
  readonly endpointOf: (id: string) => Endpoint | undefined;
}

/** The EHRs of an organization: what each does here, what it was sent, and a form for another. */
export function EhrsPart({ organizationId, environment, endpointOf }: EhrsPartProps) {
  const session = useSession();
  const path = `/admin/v1/organizations/${organizationId ?? ''}/ehrs`;
  const ehrs = useRead<Items<Ehr>>(path, { isAsked: organizationId !== undefined, everyMs: EVERY_MS });
  return (
    <>
      <h2>EHRs</h2>
      {organizationId === undefined ? (
        <p className="hint">Choose an organization to see its EHRs.</p>
      ) : (
        <>
          {mayAct(session, 'admin', organizationId) ? <NewEhr path={path} environment={environment} /> : null}
          <Read read={ehrs}>
            {({ items }) => {
              const shown = items.filter((one) => environment === undefined || one.environment === environment);
              if (shown.length === 0)
                return <p className="hint">There is no EHR: no chart opens the desk, and no result is filed there.</p>;
              return (
                <div className="stack">
                  {shown.map((ehr) => (
                    <EhrCard key={ehr.id} ehr={ehr} path={`${path}/${ehr.id}`} endpoint={endpointOf(ehr.id)} />
                  ))}
                </div>
              );
            }}
          </Read>
        </>
      )}
    </>
  );
}
