/** Where a problem is, as ERR-2 has it; positions count from 1. */
interface Place {
  readonly segment: string;
  readonly sequence?: number;
  readonly field?: number;
  readonly component?: number;
}

export interface MarkedPlace {
  /** `PID-3.1`. */
  readonly name: string;
  readonly before: string;
  readonly marked: string;
  readonly after: string;
}

const AROUND = 40;

/** The place of a problem within the text of the message; null: the message as a whole, or it is not there. */
export function markedPlace(message: string, place: Place | null | undefined): MarkedPlace | null {
  if (place === null || place === undefined) return null;
  const lines = message.split(/\r\n?|\n/).filter((line) => line.slice(0, 3) === place.segment);
  const line = lines[(place.sequence ?? 1) - 1];
  if (line === undefined) return null;
  const name = [place.segment, place.field].filter((part) => part !== undefined).join('-');
  if (place.field === undefined) return { name, before: '', marked: cut(line), after: '' };
  const separator = message.startsWith('MSH') ? (message[3] ?? '|') : '|';
  const parts = line.split(separator);
  // The separator is MSH-1, so that MSH-2 is the first text behind it.
  const index = place.segment === 'MSH' ? place.field - 1 : place.field;
  const before = cutFront(parts.slice(0, index).join(separator) + separator);
  const after = parts.length > index + 1 ? cut(separator + parts.slice(index + 1).join(separator)) : '';
  return {
    name: place.component === undefined ? name : `${name}.${place.component}`,
    before,
    marked: cut(parts[index] ?? ''),
    after,
  };
}

const cut = (text: string): string => (text.length <= AROUND ? text : `${text.slice(0, AROUND)} …`);
const cutFront = (text: string): string => (text.length <= AROUND ? text : `… ${text.slice(-AROUND)}`);
