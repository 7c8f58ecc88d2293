import { Refusal } from '../api.js';
import './components.css';

/** Why something was not done, in the gateway's own words, with what support needs. */
export function RefusalNotice({ fault }: { readonly fault: unknown }) {
  if (fault === null || fault === undefined) return null;
  if (!(fault instanceof Refusal))
    return (
      <div className="notice bad" role="alert">
        <strong>This page failed.</strong> <span>Load it again; nothing was changed by this.</span>
      </div>
    );
  return (
    <div className="notice bad" role="alert">
      <strong>{fault.title}</strong>
      <p>{fault.detail}</p>
      {fault.errors.length === 0 ? null : (
        <ul>
          {fault.errors.map(({ pointer, detail }) => (
            <li key={`${pointer} ${detail}`}>
              <code>{pointer}</code> {detail}
            </li>
          ))}
        </ul>
      )}
      {fault.requestId === null ? null : (
        <p className="hint">
          Request <code>{fault.requestId}</code>, <code>{fault.code}</code>
        </p>
      )}
    </div>
  );
}
