import { Link } from 'react-router';
import { RefusalNotice } from '../../shared/components/refusal-notice.js';
import { moment } from '../shared/words.js';
import { MOST_ORGANIZATIONS, useNeeds } from './use-needs.js';

/** What needs a person now; and if nothing does, what was looked for, and what was not. */
export function FirstPage() {
  const { needs, errors, isPending, isCut, unasked } = useNeeds();
  const isAllAsked = !isCut && unasked.length === 0;
  const isQuiet = !isPending && needs.length === 0 && errors.length === 0;
  return (
    <div className="stack">
      <h1>What needs a person now</h1>
      {errors.map((fault, place) => (
        <RefusalNotice key={place} fault={fault} />
      ))}
      {isPending ? (
        <p role="status" className="hint">
          Looking …
        </p>
      ) : null}
      {isCut ? <p className="hint">The first {MOST_ORGANIZATIONS} organizations only were looked at.</p> : null}
      {isQuiet && isAllAsked ? (
        <p className="notice good">
          Nothing. Messages were taken, results are delivered, and everything that was set up is served.
        </p>
      ) : null}
      {isQuiet && !isAllAsked ? <p className="notice">Nothing in what was looked at.</p> : null}
      <ul className="needs">
        {needs.map(({ words, since, to, what }) => (
          <li key={`${words} ${to}`} className="notice warn">
            <strong>{words}</strong>
            {since === null ? null : <span className="hint"> since {moment(since)}</span>}
            <p>
              <Link to={to}>{what}</Link>
            </p>
          </li>
        ))}
      </ul>
      {unasked.map((words) => (
        <p key={words} className="hint">
          {words}
        </p>
      ))}
    </div>
  );
}
