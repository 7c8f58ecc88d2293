import { DemoFailure } from '../demo-gateway.mjs';

const PATIENCE_MS = 60_000;

/** Reads timeline and reports of a gateway, as any HTTP client can. */
export class FollowUpReader {
  #key;

  constructor(baseUrl, key) {
    this.root = `${baseUrl.replace(/\/$/, '')}/api/v1`;
    this.#key = key;
  }

  /** Which report and which wound a completed job belongs to. A report is there as soon as it is asked for. */
  async placeOf(job) {
    const reportId = job.links?.report?.split('/').at(-1);
    if (reportId === undefined) throw new DemoFailure('This gateway makes no reports: it is older than this demo.');
    const report = JSON.parse(await this.document(`/reports/${reportId}`, 'application/json'));
    return { reportId, woundId: report.subject.woundRef };
  }

  async timeline(woundId) {
    return JSON.parse(await this.document(`/wounds/${woundId}/timeline`, 'application/json'));
  }

  /** The bytes of a document in the form and language that are asked for. */
  async document(path, accept, language = 'en') {
    const headers = { authorization: `Bearer ${this.#key}`, accept, 'accept-language': language };
    const answer = await fetch(`${this.root}${path}`, { headers, signal: AbortSignal.timeout(PATIENCE_MS) }).catch(
      (fault) => {
        throw new DemoFailure(`The gateway does not answer (${fault.cause?.code ?? fault.name}).`);
      },
    );
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (answer.ok) return bytes;
    throw new DemoFailure(`The gateway refused ${path} with ${answer.status}: ${bytes.toString('utf8').slice(0, 300)}`);
  }
}
