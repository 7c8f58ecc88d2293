import { execFile } from 'node:child_process';

/** What a benchmark makes by hand (results, repositories) changes with the code; how fast it was is not judged here. */
describe('benchmarks that make results and claims by hand', () => {
  it('run to their end', async () => {
    const words = ['bench/run.mjs', '--scenario', 's8,s9', '--jobs', '1500', '--secs', '0.2', '--rounds', '1'];
    const printed = await new Promise<string>((resolve) =>
      execFile(process.execPath, words, (_fault, stdout) => resolve(stdout)),
    );
    expect(printed).toMatch(/^s8 .*documentMs/m);
    expect(printed).toMatch(/^s9 .*claim [\d.]+/m);
    expect(printed).toMatch(/^\d scenarios as required, \d not$/m);
  }, 300_000);
});
