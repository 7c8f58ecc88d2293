import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 180_000;
const DAY_MS = 86_400_000;
/** Long ago, so that the last of a series is not in the future. */
const FIRST_PHOTO_MS = Date.parse('2026-01-05T09:00:00Z');

const rounded = (value, digits) => (value === null || value === undefined ? null : Number(value.toFixed(digits)));

const REFUSED = {
  woundDetected: null,
  acceptable: null,
  outlineReliable: null,
  outlines: null,
  areaCm2: null,
  necrosisShare: null,
  warnings: [],
  attention: [],
};

/** Sends samples to a gateway, in an organization that has none of them yet, and says what came of them. `client`: a SuturaClient. */
export class SampleObserver {
  constructor(client) {
    this.client = client;
  }

  /** `file`: a path. A patient and a wound of its own. */
  async seenAlone(name, file) {
    try {
      const { job, report } = await this.analyse(file, { patientId: `SAMPLE-${name}`, woundId: 'W-1' }, FIRST_PHOTO_MS);
      return { job: 'completed', refusedWith: null, ...seenIn(job.result, report) };
    } catch (error) {
      if (error.status !== 422) throw error;
      return { job: 'refused', refusedWith: error.code, ...REFUSED };
    }
  }

  /** Each photo, and the series. */
  async seenInSeries(name, files, daysApart) {
    const seen = [];
    let last;
    for (const [index, file] of files.entries()) {
      const at = FIRST_PHOTO_MS + index * daysApart * DAY_MS;
      last = await this.analyse(file, { patientId: `SAMPLE-${name}`, woundId: 'W-1' }, at);
      seen.push({ job: 'completed', refusedWith: null, ...seenIn(last.job.result, last.report) });
    }
    const { comparison, flags } = last.report;
    return { seen, verdict: comparison.course.verdict, flags: flags.map(({ code }) => code).sort() };
  }

  async analyse(file, subject, capturedAtMs) {
    const capturedAt = new Date(capturedAtMs).toISOString();
    const job = await this.client.analyzeImageAndWait({ file, subject, capturedAt, timeoutMs: PATIENCE_MS });
    for (let look = 1; ; look += 1) {
      try {
        return { job, report: await this.client.getReport(job.links.report) };
      } catch (error) {
        if (error.status !== 404 || look === 10) throw error;
        await pause(500);
      }
    }
  }
}

function seenIn({ woundDetected, quality, familiarity, wounds, totals }, { comparison }) {
  const outlineReliable = familiarity?.outlineReliable ?? null;
  const isSure = woundDetected && outlineReliable !== false && quality.acceptable;
  const necrosis = isSure ? (wounds[0]?.tissue?.necrosis ?? 0) : 0;
  return {
    woundDetected,
    acceptable: quality.acceptable,
    outlineReliable,
    outlines: isSure ? totals.woundCount : woundDetected ? null : 0,
    areaCm2: isSure ? rounded(wounds[0]?.area.cm2?.value, 1) : null,
    necrosisShare: necrosis < 0.01 ? null : rounded(necrosis, 2),
    warnings: [...quality.warnings].sort(),
    attention: [...comparison.attention].sort(),
  };
}
