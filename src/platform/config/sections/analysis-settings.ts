import { cpus } from 'node:os';
import { z } from 'zod';
import { variable } from '../variable.js';
import { baseAddresses, flag, folderName, listOf, networks, whole } from '../value-schemas.js';

export const EXECUTION_PROVIDERS = ['cuda', 'webgpu', 'cpu', 'remote'] as const;

const MIB = 1024 * 1024;

/** Photos, models, and the workers that analyse. */
export const ANALYSIS_SECTIONS = {
  images: {
    maxBytes: variable('SUTURA_MAX_IMAGE_BYTES', 'Largest photo in bytes', whole(1024, 200 * MIB, 20 * MIB)),
    maxPixels: variable('SUTURA_MAX_IMAGE_PIXELS', 'Largest photo in pixels', whole(4096, 200_000_000, 50_000_000)),
    fetchNetworks: variable(
      'SUTURA_FETCH_NETWORKS',
      'Networks inside, such as 10.20.0.0/16, that photos may be fetched from beside the public internet; hosts are listed for each organization',
      networks,
    ),
  },
  models: {
    dir: variable('SUTURA_MODELS_DIR', 'Folder of the models', z.string().default('models')),
    segmentation: variable(
      'SUTURA_SEGMENTATION_MODEL',
      'Model that outlines: fast, the name of its folder, or accurate where a model of your own states that variant',
      folderName.default('fast'),
    ),
    tissue: variable(
      'SUTURA_TISSUE_MODEL',
      'Model that tells tissues apart: auto (the newest, where there is one), none or a folder name',
      folderName.default('auto'),
    ),
    executionProviders: variable(
      'SUTURA_EXECUTION_PROVIDERS',
      'ONNX execution providers, in the order they are tried; remote: inference servers at SUTURA_INFERENCE_URL',
      listOf(EXECUTION_PROVIDERS, ['cpu']),
    ),
    intraOpThreads: variable('SUTURA_INTRA_OP_THREADS', 'Threads of one inference process', whole(1, 64, 1)),
    batchSize: variable('SUTURA_BATCH_SIZE', 'Most images in one run on a GPU; CPU runs are single', whole(1, 64, 8)),
    batchDelayMs: variable('SUTURA_BATCH_DELAY_MS', 'Longest wait for a batch to fill, on a GPU', whole(0, 1000, 10)),
    allowResearch: variable('SUTURA_ALLOW_RESEARCH_MODEL', 'Allow live jobs on a research-only model', flag),
    allowReusedPhotos: variable(
      'SUTURA_ALLOW_REUSED_PHOTOS',
      'For demonstrations and training, in the test environment alone: the same photo may stand for several visits, wounds and patients without waiting for a person',
      flag,
    ),
    pushScore: variable(
      'SUTURA_PUSH_SCORE',
      'Add PUSH Tool 3.0 sub-scores to results; the tool is the NPIAP’s, whose permission the operator needs',
      flag,
    ),
  },
  engine: {
    urls: variable(
      'SUTURA_INFERENCE_URL',
      'Inference servers that speak the Open Inference Protocol, by commas, such as http://triton:8000; used with the execution provider remote',
      baseAddresses,
    ),
    timeoutMs: variable(
      'SUTURA_INFERENCE_TIMEOUT_MS',
      'Longest wait for one run of an inference server',
      whole(100, 60_000, 10_000),
    ),
    caFile: variable(
      'SUTURA_INFERENCE_CA_FILE',
      'Certificates of the authorities that inference servers with https are trusted by, in PEM; default: those of Node.js',
      z.string().optional(),
    ),
  },
  workers: {
    processes: variable('SUTURA_WORKER_PROCESSES', 'Inference processes', whole(1, 64, Math.max(1, cpus().length))),
    maxResidentMib: variable(
      'SUTURA_WORKER_MAX_RSS_MIB',
      'Memory at which an inference process is replaced',
      whole(128, 65_536, 1024),
    ),
    leaseS: variable('SUTURA_LEASE_S', 'Seconds after which a silent worker loses its job', whole(2, 600, 60)),
    jobTimeoutMs: variable('SUTURA_JOB_TIMEOUT_MS', 'Longest processing of one job', whole(100, 600_000, 60_000)),
    sweepIntervalMs: variable(
      'SUTURA_SWEEP_INTERVAL_MS',
      'Interval of the search for lost jobs',
      whole(100, 60_000, 5000),
    ),
  },
} as const;
