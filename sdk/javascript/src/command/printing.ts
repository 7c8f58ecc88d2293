import type { LoggedEvent } from '../event-log.js';

/** Without what moves a terminal's cursor or colours it: texts come from elsewhere. */
export function plain(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');
}

export function say(line: string): void {
  process.stdout.write(`${plain(line)}\n`);
}

/** About the command itself, so that what it prints can be read by a program. */
export function note(line: string): void {
  process.stderr.write(`${plain(line)}\n`);
}

/** An event on one line: its time, type and id, then every field that is one value. */
export function lineOf({ recordedAt, type, id, data }: LoggedEvent): string {
  const fields = Object.entries(data).flatMap(([name, value]) =>
    value === null || typeof value === 'object' ? [] : [`${name}=${String(value)}`],
  );
  return [recordedAt, type.padEnd(18), id, ...fields].join(' ');
}
