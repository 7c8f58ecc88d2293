import { segmentsOf } from './segments.js';

describe('a message by its segments', () => {
  it('shows what is no message as it is', () => {
    expect(segmentsOf('')).toEqual([]);
    expect(segmentsOf('hello')).toEqual([{ name: 'hel', title: '', raw: 'hello', fields: [] }]);
  });

  it('counts the separator of MSH as its first field', () => {
    const [msh] = segmentsOf('MSH|^~\\&|EHR|WARD|||20260315||ORU^R01|77|P|2.5.1\rPID|1||4711^^^HOSP^MR');
    expect(msh?.fields.find(({ place }) => place === 'MSH-10')).toEqual({
      place: 'MSH-10',
      name: 'Message control id',
      text: '77',
    });
    expect(msh?.fields[0]).toMatchObject({ place: 'MSH-1', text: '|' });
  });

  it('reads with the separator that the message states', () => {
    const [, pid] = segmentsOf('MSH#^~\\&#EHR\rPID#1##4711');
    expect(pid?.fields.at(-1)).toEqual({ place: 'PID-3', name: 'Patient identifiers', text: '4711' });
  });

  it('keeps fields that it has no name for, and cuts a photo', () => {
    const [, zed, obx] = segmentsOf(`MSH|^~\\&\nZPH|x\nOBX|1|ED|||${'A'.repeat(5000)}`);
    expect(zed).toMatchObject({ title: '', fields: [{ place: 'ZPH-1', name: null, text: 'x' }] });
    expect(obx?.fields.at(-1)?.text.length).toBeLessThan(450);
    expect(obx?.fields.at(-1)?.text).toContain('characters');
  });

  it('does not interpret text', () => {
    const [pid] = segmentsOf('PID|||<img src=x onerror=alert(1)>');
    expect(pid?.fields[0]?.text).toBe('<img src=x onerror=alert(1)>');
  });
});
