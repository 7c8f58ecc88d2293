import { DemoFailure } from '../demo-gateway.mjs';
import { rowsOf, segmentsOf } from './er7.mjs';

const LONGEST = 150;
const CHANGE = 'area-change-since-previous';

/** A result as it came, but for what is too long for a line. */
export function messageText(message) {
  return segmentsOf(message)
    .map((fields) => `  ${fields.map(shortened).join('|')}`)
    .join('\n');
}

/** Area, change since the photo before (null: none) and document of a result. */
export function resultOf(message) {
  const rows = rowsOf(message);
  const valueOf = (code) => rows.find(([, , , id]) => id.split('^')[0] === code)?.[5] ?? null;
  return { areaCm2: valueOf('89260-4'), changePct: valueOf(CHANGE), pdf: pdfOf(rows) };
}

function pdfOf(rows) {
  const parts = rows.find(([, , type]) => type === 'ED')?.[5]?.split('^') ?? [];
  const bytes = Buffer.from(parts[4] ?? '', 'base64');
  if (bytes.subarray(0, 5).toString('latin1') !== '%PDF-') throw new DemoFailure('The result has no PDF inside.');
  return bytes;
}

function shortened(field) {
  const data = /^(.*\^Base64\^)(.{40})(.*)$/.exec(field);
  if (data !== null) return `${data[1]}${data[2]}… (${Math.ceil(data[3].length / 1024)} kB more)`;
  return field.length > LONGEST ? `${field.slice(0, LONGEST)}…` : field;
}
