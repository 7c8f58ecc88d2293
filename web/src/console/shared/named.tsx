import { Link } from 'react-router';
import './named.css';

interface NamedProps {
  /** null: nothing has that id any more. */
  readonly name: string | null;
  readonly id: string;
  /** Where it is shown. */
  readonly to?: string;
}

/** A thing by its name; its id is one click away. */
export function Named({ name, id, to }: NamedProps) {
  const shown = name ?? 'something that was removed';
  return (
    <span className="named">
      {to === undefined || name === null ? <strong>{shown}</strong> : <Link to={to}>{shown}</Link>}{' '}
      <details>
        <summary>id</summary>
        <code>{id}</code>
      </details>
    </span>
  );
}
