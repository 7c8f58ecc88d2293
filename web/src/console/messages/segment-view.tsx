import { segmentsOf } from './segments.js';
import './segment-view.css';

/** A message with the names of its fields. */
export function SegmentView({ message, label }: { readonly message: string; readonly label: string }) {
  return (
    <section className="segments" aria-label={label}>
      {segmentsOf(message).map(({ name, title, raw, fields }, place) => (
        <details key={place} open={name !== 'OBX' || place < 20}>
          <summary>
            <strong className="mono">{name}</strong> {title}
          </summary>
          {fields.length === 0 ? (
            <p className="mono">{raw}</p>
          ) : (
            <table>
              <tbody>
                {fields.map(({ place: at, name: called, text }) => (
                  <tr key={at}>
                    <th scope="row" className="mono">
                      {at}
                    </th>
                    <td className="hint">{called ?? ''}</td>
                    <td className="mono">{text}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </details>
      ))}
    </section>
  );
}
