import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DemoFailure } from '../demo-gateway.mjs';
import { command } from '../demo-operator.mjs';

/** The demo's EHR is on this machine; the operator's own setting goes first. */
const networks = () => ({ SUTURA_EHR_NETWORKS: process.env.SUTURA_EHR_NETWORKS ?? '127.0.0.0/8' });
const PAUSE_MS = 1000;

/** A registration at the gateway, made for one run of the demo. */
export class Registration {
  #organization;
  #of;

  constructor(organizationId, view) {
    this.view = view;
    this.#organization = ['--org', organizationId];
    this.#of = [...this.#organization, '--id', view.id];
  }

  /** `terms`: as POST /admin/v1/organizations/{id}/ehrs takes them, parts as objects. */
  static async create(organizationId, { environment, name, fhirBaseUrl, patientSystem, ...parts }) {
    const folder = await mkdtemp(join(tmpdir(), 'sutura-demo-ehr-'));
    try {
      const files = [];
      for (const [part, stated] of Object.entries(parts)) {
        const file = join(folder, `${part}.json`);
        // A part may hold a token: for the owner's eyes alone.
        await writeFile(file, JSON.stringify(stated), { mode: 0o600 });
        files.push(`--${part}`, file);
      }
      const words = ['ehr', 'create', '--org', organizationId, '--env', environment, '--name', name];
      const place = ['--fhir-base-url', fhirBaseUrl, '--patient-system', patientSystem];
      return new Registration(organizationId, await command([...words, ...place, ...files], networks()));
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  /** What the EHR says of itself, found from this process. */
  async test() {
    return (await command(['ehr', 'test', ...this.#of], networks())).findings;
  }

  /** How many results are waiting, sent, held and parked. */
  async deliveries() {
    const all = await command(['ehr', 'list', ...this.#organization]);
    const found = all.find(({ id }) => id === this.view.id);
    if (found === undefined) throw new DemoFailure('Somebody removed the registration while the demo ran.');
    return found.deliveries;
  }

  /** Waits until more has been sent than `sentBefore`, and nothing waits; the count that was sent. */
  async untilFiled(sentBefore, patienceMs) {
    const end = Date.now() + patienceMs;
    for (;;) {
      const { waiting, sent, held, parked } = await this.deliveries();
      if (held + parked > 0) throw new DemoFailure(`The EHR did not take a result:\n${await this.#reasons('parked')}`);
      if (waiting === 0 && sent > sentBefore) return sent;
      if (Date.now() > end)
        throw new DemoFailure(
          `Nothing was filed in ${patienceMs / 1000} s. ${await this.#reasons('waiting')}\nThe gateway must be allowed to reach the EHR: start it with SUTURA_EHR_NETWORKS=127.0.0.0/8, or the network of --fhir.`,
        );
      await pause(PAUSE_MS);
    }
  }

  async #reasons(state) {
    const found = await command(['deliveries', 'list', '--endpoint', this.view.id, '--state', state]);
    const lines = found.map(
      ({ type, id, fault, attempts }) =>
        `  ${type}: ${fault ?? 'no answer yet'}, tried ${attempts} times (delivery ${id})`,
    );
    return lines.length === 0 ? 'No delivery was made.' : lines.join('\n');
  }

  async remove() {
    await command(['ehr', 'remove', ...this.#of]);
  }
}
