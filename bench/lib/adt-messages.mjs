const PATIENTS = 500;

/** ADT^A08 of 500 patients, or as many as `patients` says, by turns, each with an id of its own. `enhanced`: the sender wants an accept acknowledgment only. What they say is what the record holds after the first round. */
export function updateMessages({ enhanced, patients = PATIENTS }) {
  const run = process.hrtime.bigint().toString(36);
  const modes = enhanced ? 'AL|NE' : '|';
  let count = 0;
  return () => {
    count += 1;
    const controlId = `${run}-${count}`;
    const patient = count % patients;
    const text = [
      `MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260315094003+0100||ADT^A08^ADT_A01|${controlId}|T|2.5.1|||${modes}|DEU|UNICODE UTF-8`,
      'EVN|A08|20260315094003+0100',
      `PID|1||MRN-${patient}^^^HOSP&1.2.3.4.5.6&ISO^MR||Beispiel${patient}^Anna^^^^^L||19510714|F|||Am Stein 4&Am Stein&4^^Würzburg^^97080^DE^H||^PRN^PH^^49^931^${1000 + patient}`,
      `PV1|1|I|W3^301^1^HOSP||||||||||||||||V-${patient}^^^HOSP&1.2.3.4.5.6&ISO^VN`,
      '',
    ].join('\r');
    return { bytes: Buffer.from(text, 'utf8'), controlId };
  };
}

export { PATIENTS };
