import { hl7Time } from './er7.mjs';

const HOSPITAL = 'HOSP&2.999.1&ISO';
const [APPLICATION, FACILITY] = ['EHR', 'HOSP'];

/** An order for a wound assessment with its photo (OMG^O19), as a ward system sends it. */
export function orderMessage({ controlId, patientNumber, woundNumber, orderNumber, jpeg, takenAt, context }) {
  const [now, taken] = [hl7Time(new Date()), hl7Time(takenAt)];
  const order = `${orderNumber}^EHR^2.999.3^ISO`;
  return `${[
    `MSH|^~\\&|${APPLICATION}|${FACILITY}|SUTURA|SUTURA|${now}||OMG^O19^OMG_O19|${controlId}|T|2.5.1|||||DEU|UNICODE UTF-8`,
    `PID|1||${patientNumber}^^^${HOSPITAL}^MR||Beispiel^Anna^^^^^L||19510714|F`,
    `PV1|1|I|W3^301^1^HOSP`,
    `ORC|NW|${order}|||||||${now}`,
    `OBR|1|${order}||39135-9^Wound assessment panel^LN|||${taken}||||||${context}`,
    `OBX|1|ED|72170-4^Photographic image^LN|1|EHR^IM^JPEG^Base64^${jpeg.toString('base64')}||||||F|||${taken}`,
    `OBX|2|ST|wound-id^Wound number^99SUT|1|${woundNumber}||||||F`,
  ].join('\r')}\r`;
}

/** The application's yes to a result, or with `accept` that it was received. */
export function acknowledgment({ controlId, event, accept }) {
  const type = `ACK^${event}^ACK`;
  return `MSH|^~\\&|${APPLICATION}|${FACILITY}|SUTURA|SUTURA|${hl7Time(new Date())}||${type}|A${Date.now()}|T|2.5.1\rMSA|${accept ? 'CA' : 'AA'}|${controlId}\r`;
}
