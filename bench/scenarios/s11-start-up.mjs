import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryOf, startGateway } from '../lib/gateway.mjs';
import { median } from '../lib/statistics.mjs';

const LIMITS = { firstMs: 15_000, againMs: 3000, gatewayMiB: 250, inferenceMiB: 1024 };

/** From the start of the process to /health/ready: the very first time (embedded database made), and with an existing one. */
export const s11 = {
  id: 's11',
  name: 'start-up',
  unit: 'ms',
  goal: 'ready within 3 s with an existing database, 15 s at the first start; idle gateway at most 250 MiB, inference process at most 1 GiB',
  async run({ rounds, model }) {
    const env = { SUTURA_SEGMENTATION_MODEL: model };
    const first = [];
    const again = [];
    let memory;
    for (let round = 0; round < rounds; round += 1) {
      const dataDir = await mkdtemp(join(tmpdir(), 'sutura-bench-start-'));
      const fresh = await startGateway({ dataDir, env });
      first.push(fresh.readyMs);
      await fresh.stop();
      const second = await startGateway({ dataDir, env });
      again.push(second.readyMs);
      memory = memoryOf(second.child.pid);
      await second.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
    const firstMs = Math.round(median(first));
    const againMs = Math.round(median(again));
    const largest = Math.max(0, ...memory.inferenceMiB);
    const passed =
      firstMs <= LIMITS.firstMs &&
      againMs <= LIMITS.againMs &&
      memory.gatewayMiB <= LIMITS.gatewayMiB &&
      largest <= LIMITS.inferenceMiB;
    return { firstMs, againMs, ...memory, ratio: null, passed };
  },
};
