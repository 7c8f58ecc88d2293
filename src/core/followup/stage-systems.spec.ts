import { stageSystemsOf } from './stage-systems.js';

const ALL = ['wagner', 'pressure', 'texas'];

describe('systems by which a kind of wound is staged', () => {
  it.each([
    [{ display: 'Venous leg ulcer' }, []],
    [{ system: 'http://snomed.info/sct', code: '371032004' }, []],
    [{ display: 'Skin tear' }, ALL],
    [null, ALL],
    [{ system: 'http://snomed.info/sct', code: '280137006' }, ['wagner', 'texas']],
    [{ code: 'E11.621' }, ['wagner', 'texas']],
    [{ display: 'Diabetisches Fußulkus' }, ['wagner', 'texas']],
    [{ system: 'http://snomed.info/sct', code: '399912005' }, ['pressure']],
    [{ code: 'L89.153' }, ['pressure']],
    [{ display: 'Pressure injury, left heel' }, ['pressure']],
    [{ display: 'Druckgeschwür' }, ['pressure']],
    [{ display: 'Úlcera por presión' }, ['pressure']],
    [{ display: 'Escarre sacrée' }, ['pressure']],
    [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'L89.153' }, ['pressure']],
    [{ system: 'http://fhir.de/CodeSystem/bfarm/icd-10-gm', code: 'L89.2' }, ['pressure']],
    [{ system: 'urn:oid:2.16.840.1.113883.6.90', code: 'L89.153' }, ['pressure']],
    // Several kinds at once.
    [{ display: 'Diabetic foot with pressure injury' }, ALL],
    [{ system: 'http://snomed.info/sct', code: '399912005', display: 'Dekubitus, diabetisches Fußsyndrom' }, ALL],
    [{ code: 'E11.621', display: 'Pressure ulcer of the heel' }, ALL],
    // A code of somebody else's.
    [{ system: 'urn:oid:2.999', code: 'L89.153' }, ALL],
    [{ system: 'urn:oid:2.999', code: '399912005' }, ALL],
  ])('%j: %j', (woundType, systems) => {
    expect(stageSystemsOf(woundType)).toEqual(systems);
  });
});
