import { Button } from '../shared/components/controls.js';
import type { DeskPart } from './desk-part.js';
import type { DeskSession } from './types.js';
import { nextWaiting } from './next-waiting.js';
import { fill } from './words/words.js';

interface ListWayProps extends Pick<DeskPart, 'words'> {
  readonly list: DeskSession['list'];
  readonly shown: string;
  readonly show: (reportId: string) => void;
}

/** The reports of a list: which one is shown, all of them by whose wound it is, and on to the next that waits. */
export function ListWay({ list, shown, show, words }: ListWayProps) {
  if (list.length === 0) return null;
  const place = list.findIndex(({ reportId }) => reportId === shown);
  const next = nextWaiting(list, shown);
  const waiting = list.filter(({ waits }) => waits).length;
  return (
    <nav className="desk-tools" aria-label={words.list}>
      <label className="desk-list">
        <span>{fill(words.listPlace, { place: String(place + 1), count: String(list.length) })}</span>
        <select className="input" value={shown} onChange={(event) => show(event.target.value)}>
          {list.map(({ reportId, label, waits }) => (
            <option key={reportId} value={reportId}>
              {waits ? label : `✓ ${label}`}
            </option>
          ))}
        </select>
      </label>
      {next === null ? (
        <span role="status">{waiting === 0 ? words.listDone : words.listLast}</span>
      ) : (
        <Button look={place >= 0 && list[place]!.waits ? 'plain' : 'primary'} onPress={() => show(next)}>
          {words.nextInList}
        </Button>
      )}
    </nav>
  );
}
