const HEAD = (type, controlId) =>
  `MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260315094003+0100||${type}|${controlId}|T|2.5.1|||||DEU|UNICODE UTF-8`;
const pid = (number, street) =>
  `PID|1||MRN-${number}^^^HOSP&1.2.3.4.5.6&ISO^MR||Beispiel^Anna^^^^^L||19510714|F|||${street}^^Würzburg^^97080^DE^H`;
const pv1 = (number) => `PV1|1|I|W3^301^1^HOSP||||||||||||||||V-${number}^^^HOSP&1.2.3.4.5.6&ISO^VN`;
const ROWS = [
  'OBX|2|NM|39127-6^Depth of Wound^LN|1|0.4|cm^centimeter^UCUM|||||F|||20260315094000+0100',
  'OBX|3|NM|39126-8^Length of Wound^LN|1|3.4|cm^centimeter^UCUM|||||F|||20260315094000+0100',
];

/** Bodies of each kind of message without a photo, for the `at`th of its kind. The patient is known but where the kind says so. */
const BODIES = {
  'ADT^A08 that changes nothing': ['ADT^A08^ADT_A01', () => [pid('known', 'Am Stein 4'), pv1('known')]],
  'ADT^A08 of another address': ['ADT^A08^ADT_A01', (at) => [pid('known', `Am Stein ${at + 10}`), pv1('known')]],
  'ADT^A04 of a new patient': ['ADT^A04^ADT_A01', (at) => [pid(`new-${at}`, 'Am Stein 4'), pv1(`new-${at}`)]],
  'ORU^R01 with two findings': [
    'ORU^R01^ORU_R01',
    (at) => [
      pid('known', 'Am Stein 4'),
      `ORC|RE|R-${at}^EHR^1.2.3.4.5.7^ISO`,
      `OBR|1|R-${at}^EHR^1.2.3.4.5.7^ISO||39135-9^Wound assessment panel^LN|||20260315094000+0100`,
      'OBX|1|ST|wound-id^Wound number^99EHR|1|W-1||||||F|||20260315094000+0100',
      ...ROWS,
    ],
  ],
  'OMG^O19 without a photo': [
    'OMG^O19^OMG_O19',
    (at) => [
      pid('known', 'Am Stein 4'),
      `ORC|NW|O-${at}^EHR^1.2.3.4.5.7^ISO`,
      `OBR|1|O-${at}^EHR^1.2.3.4.5.7^ISO||39135-9^Wound assessment panel^LN|||20260315094000+0100`,
    ],
  ],
};

export const MESSAGE_KINDS = Object.keys(BODIES);

/** Makes messages of a kind, each with an id of its own. */
export function messagesOf(kind) {
  const [type, bodyOf] = BODIES[kind];
  let count = 0;
  return () => {
    count += 1;
    const controlId = `${MESSAGE_KINDS.indexOf(kind)}-${count}`;
    return { controlId, bytes: Buffer.from([HEAD(type, controlId), ...bodyOf(count), ''].join('\r'), 'utf8') };
  };
}
