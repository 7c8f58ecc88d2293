// Messages of this demo use the delimiters that everybody uses.
const TWO_DIGITS = (value) => String(value).padStart(2, '0');

/** A time in UTC as HL7 writes it. */
export function hl7Time(date) {
  const parts = [
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  ];
  return `${date.getUTCFullYear()}${parts.map(TWO_DIGITS).join('')}+0000`;
}

export function segmentsOf(message) {
  return message
    .split(/\r\n?|\n/)
    .filter((line) => line !== '')
    .map((line) => line.split('|'));
}

/** The first field of this name and position: `PID`, 3. MSH counts its separator as the first. */
export function fieldOf(message, name, position) {
  const segment = segmentsOf(message).find(([id]) => id === name);
  return segment?.[name === 'MSH' ? position - 1 : position] ?? '';
}

/** Rows of a result as fields. */
export function rowsOf(message) {
  return segmentsOf(message).filter(([name]) => name === 'OBX');
}
