import type { DeskPart } from './desk-part.js';
import type { Surroundings } from './types.js';
import type { Presence } from './use-presence.js';
import { fill } from './words/words.js';

interface PresenceProps extends Pick<DeskPart, 'words' | 'language'> {
  readonly presence: Presence;
}

type Other = Surroundings['others'][number];

/** Who else has this report open, as far as their pages say so; and that it is not known, or not yet. */
export function PresenceNotice({ presence, words, language }: PresenceProps) {
  if (presence.state === 'unknown') return <p className="hint">{words.presenceUnknown}</p>;
  if (presence.state !== 'known' || presence.others.length === 0) return null;
  const clock = (time: string) => new Date(time).toLocaleTimeString(language, { timeStyle: 'short' });
  const said = ({ name, canDecide, isSamePerson, since }: Other) =>
    fill(isSamePerson ? words.presentYou : canDecide ? words.present : words.presentReading, {
      name: name ?? words.presentNobody,
      time: clock(since),
    });
  return (
    <p className="notice warn desk-present" role="status">
      <strong>{words.alsoOpen}:</strong> {presence.others.map(said).join('; ')}
    </p>
  );
}
