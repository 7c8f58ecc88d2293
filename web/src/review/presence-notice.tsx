import type { DeskPart } from './report-panel.js';
import type { Presence } from './use-presence.js';
import { fill } from './words/words.js';

interface PresenceProps extends Pick<DeskPart, 'words' | 'language'> {
  readonly presence: Presence;
}

/** Who else has this report open, as far as their pages say so; and that it is not known. */
export function PresenceNotice({ presence, words, language }: PresenceProps) {
  if (presence.state === 'unknown') return <p className="hint">{words.presenceUnknown}</p>;
  if (presence.state !== 'known' || presence.others.length === 0) return null;
  const clock = (time: string) => new Date(time).toLocaleTimeString(language, { timeStyle: 'short' });
  return (
    <div className="notice warn" role="status">
      <strong>{words.alsoOpen}</strong>
      <ul className="desk-present">
        {presence.others.map(({ name, canDecide, isSamePerson, since }, place) => (
          <li key={place}>
            {fill(isSamePerson ? words.presentYou : canDecide ? words.present : words.presentReading, {
              name: name ?? words.presentNobody,
              time: clock(since),
            })}
          </li>
        ))}
      </ul>
    </div>
  );
}
