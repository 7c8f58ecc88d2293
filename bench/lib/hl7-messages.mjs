const ROWS = [
  'OBX|2|CWE|wound-site^Wound site^99EHR|1|84607009^Skin structure of heel^SCT^^^^^^Left heel||||||F|||20260315094000+0100',
  'OBX|3|CWE|wound-side^Wound side^99EHR|1|left^Left^99EHR||||||F|||20260315094000+0100',
  'OBX|4|NM|39127-6^Depth of Wound^LN|1|0.4|cm^centimeter^UCUM|||||F|||20260315094000+0100',
  'OBX|5|NM|39126-8^Length of Wound^LN|1|3.4|cm^centimeter^UCUM|||||F|||20260315094000+0100',
  'OBX|6|NM|39125-0^Width of Wound^LN|1|2.4|cm^centimeter^UCUM|||||F|||20260315094000+0100',
  'OBX|7|ST|note^Remark^99EHR|1|Redness around the edge\\T\\ dry||||||F|||20260315094000+0100',
];
const PATIENTS = 200;

/** ORU^R01 of 12 segments without a photo, each with an id of its own. `enhanced`: the sender wants an accept acknowledgment only. */
export function resultMessages({ enhanced }) {
  const run = process.hrtime.bigint().toString(36);
  const modes = enhanced ? 'AL|NE' : '|';
  let count = 0;
  return () => {
    count += 1;
    const controlId = `${run}-${count}`;
    const patient = count % PATIENTS;
    const text = [
      `MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260315094003+0100||ORU^R01^ORU_R01|${controlId}|T|2.5.1|||${modes}|DEU|UNICODE UTF-8`,
      `PID|1||MRN-${patient}^^^HOSP&1.2.3.4.5.6&ISO^MR||Beispiel^Anna^^^^^L||19510714|F|||Am Stein 4&Am Stein&4^^Würzburg^^97080^DE^H`,
      'PV1|1|I|W3^301^1^HOSP',
      `ORC|RE|${controlId}^EHR^1.2.3.4.5.7^ISO|||||||20260315093000+0100`,
      `OBR|1|${controlId}^EHR^1.2.3.4.5.7^ISO||39135-9^Wound assessment panel^LN|||20260315094000+0100|||||||||||||||||NRS|F`,
      `OBX|1|ST|wound-id^Wound number^99EHR|1|W-${patient}||||||F|||20260315094000+0100`,
      ...ROWS,
      '',
    ].join('\r');
    return { bytes: Buffer.from(text, 'utf8'), controlId };
  };
}
