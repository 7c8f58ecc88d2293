import { readFileSync } from 'node:fs';
import { SuturaError } from '../../core/errors/sutura-error.js';
import { EngineClient, type ServedModel, type ServedTensor } from './engine-client.js';
import { EngineFailure, type EngineEvent } from './engine-failure.js';
import type { AskedTensor, SentTensor } from './engine-message.js';
import { repeatSample, type EngineSample } from './engine-sample.js';
import { ModelUnusableError } from './model-folder.js';
import type { EngineSettings, StoredModel } from './model-runtime.js';

/** A server that failed is left alone for so long, twice as long each time, until a run succeeds again. */
const FIRST_REST_MS = 1000;
const LONGEST_REST_MS = 30_000;
const RETRY_AFTER_S = 5;
/** How soon exchanged weights are noticed. */
const RECHECK_MS = 60_000;

/** One server, and whether runs are sent to it. */
interface Host {
  readonly client: EngineClient;
  /** Runs go elsewhere until it has passed a trial. */
  resting: boolean;
  restMs: number;
}

/** A model that was opened, as every server has to have it. */
export interface RemoteModel {
  readonly name: string;
  readonly served: ServedModel;
  /** null until the first run. */
  sample: EngineSample | null;
}

/**
 * The inference servers of one process. They are used by turns. One that fails rests, then is compared with its model again and tried with
 * a picture whose result is known before it gets a photo; meanwhile the others serve. While all rest, runs throw `service.unavailable`. The
 * same comparison is made of every server again and again, since an answer does not say which weights made it.
 */
export class RemoteEngine {
  private readonly hosts: readonly Host[];
  private readonly models: RemoteModel[] = [];
  private turn = 0;
  private away = false;

  constructor(
    settings: EngineSettings,
    private readonly tell: (event: EngineEvent) => void,
  ) {
    const { urls, timeoutMs, caFile, recheckMs = RECHECK_MS } = settings;
    const ca = caFile === null ? undefined : readAuthorities(caFile);
    this.hosts = urls.map((url) => ({
      client: new EngineClient(url, { timeoutMs, ca }),
      resting: false,
      restMs: FIRST_REST_MS,
    }));
    setInterval(() => void this.checkAgain(), recheckMs).unref();
  }

  /** Throws ModelUnusableError where a server has another model than the manifest says, EngineFailure where none answers. */
  async open({ folder, manifest }: StoredModel): Promise<RemoteModel> {
    const described = await Promise.all(this.hosts.map((host) => this.describe(host, folder)));
    const failures = described.flatMap((one) => (one instanceof EngineFailure ? [one] : []));
    let first: ServedModel | undefined;
    for (const [index, served] of described.entries()) {
      if (served instanceof EngineFailure) continue;
      first ??= served;
      const objection =
        served.sha256 !== null && served.sha256 !== manifest.sha256
          ? `states another sha256 than ${folder}/manifest.json`
          : difference(served, first);
      if (objection !== null)
        throw new ModelUnusableError(
          `the model ${folder} of the inference server ${this.hosts[index]!.client.server} ${objection}. Give every server of SUTURA_INFERENCE_URL the files that "npm run models:export" writes.`,
        );
    }
    if (first === undefined) throw failures[0] ?? new EngineFailure('unreachable', 'is not set');
    const model = { name: folder, served: first, sample: null };
    this.models.push(model);
    return model;
  }

  /** A server whose answer is late now and then is judged by runs alone: it would rest for want of nothing. */
  private async checkAgain(): Promise<void> {
    for (const host of this.hosts) {
      if (host.resting) continue;
      try {
        for (const model of this.models) await prove(host.client, model);
      } catch (error) {
        if (error instanceof EngineFailure && error.isAbsence) continue;
        this.rest(host, error);
      }
    }
  }

  /** Throws `service.unavailable` while no server can be used, EngineFailure where the servers are there and refuse this run. */
  async run(
    model: RemoteModel,
    input: SentTensor,
    asked: readonly AskedTensor[],
  ): Promise<Record<string, Float32Array>> {
    const { name, served } = model;
    const failures: EngineFailure[] = [];
    for (const host of this.byTurns()) {
      if (host.resting) continue;
      try {
        const answer = await host.client.infer(name, input, asked, served.binary);
        host.restMs = FIRST_REST_MS;
        model.sample ??= { input, asked, answer };
        return answer;
      } catch (error) {
        failures.push(this.rest(host, error));
      }
    }
    const [first] = failures;
    if (first !== undefined && failures.every(({ isAbsence }) => !isAbsence)) throw first;
    throw new SuturaError('service.unavailable', { retryAfterS: RETRY_AFTER_S });
  }

  private byTurns(): readonly Host[] {
    const first = this.turn++ % this.hosts.length;
    return [...this.hosts.slice(first), ...this.hosts.slice(0, first)];
  }

  private async describe(host: Host, name: string): Promise<ServedModel | EngineFailure> {
    try {
      return await host.client.describe(name);
    } catch (error) {
      const failure = this.rest(host, error);
      return new EngineFailure(failure.reason, `${host.client.server} ${failure.message}`);
    }
  }

  private rest(host: Host, error: unknown): EngineFailure {
    if (!(error instanceof EngineFailure)) throw error;
    const { reason, message: detail } = error;
    this.tell({ what: 'failed', server: host.client.server, reason, detail });
    if (host.resting) return error;
    host.resting = true;
    setTimeout(() => void this.tryAgain(host), host.restMs).unref();
    host.restMs = Math.min(LONGEST_REST_MS, host.restMs * 2);
    if (!this.away && this.hosts.every(({ resting }) => resting)) {
      this.away = true;
      this.tell({ what: 'away' });
    }
    return error;
  }

  private async tryAgain(host: Host): Promise<void> {
    try {
      for (const model of this.models) await prove(host.client, model);
    } catch (error) {
      host.resting = false;
      this.rest(host, error);
      return;
    }
    host.resting = false;
    if (this.away) this.tell({ what: 'back' });
    this.away = false;
  }
}

/** Throws EngineFailure unless the server has the very model, with the very weights. */
async function prove(client: EngineClient, { name, served, sample }: RemoteModel): Promise<void> {
  const objection = difference(await client.describe(name), served);
  if (objection !== null) throw new EngineFailure('mismatch', `has a model ${name} that ${objection}`);
  if (sample !== null) await repeatSample(client, name, sample, served.binary);
}

/** A declared output as a run of one picture asks for it. */
export function askFor({ name, shape }: ServedTensor): AskedTensor {
  return { name, shape: shape.map((side, index) => (index === 0 ? 1 : side < 0 ? null : side)) };
}

function difference(one: ServedModel, other: ServedModel): string | null {
  if (one.sha256 !== other.sha256) return 'states another sha256 than before or elsewhere';
  return signatureOf(one) === signatureOf(other) ? null : 'has other inputs and outputs than before or elsewhere';
}

function signatureOf({ inputs, outputs, binary }: ServedModel): string {
  const line = ({ name, datatype, shape }: ServedTensor) => [name, datatype, shape];
  return JSON.stringify([inputs.map(line), outputs.map(line).sort(), binary]);
}

function readAuthorities(caFile: string): string {
  try {
    return readFileSync(caFile, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new ModelUnusableError(`the file of SUTURA_INFERENCE_CA_FILE cannot be read (${code}).`);
  }
}
