import { NODE_PATH } from './node-binary.mjs';
import { ACCOUNT, DATA_FOLDER, SERVICE_FOLDER } from './service-files.mjs';

const SECOND = 1_000_000_000;
const NODE = `/${NODE_PATH}`;
/** As in `npm start`. */
const NODE_OPTIONS = ['--enable-source-maps', '--max-semi-space-size=32'];

/**
 * How a container of the image runs (image-spec 1.1, config.md). Its arguments name a program: without any the
 * gateway, with `dist/src/cli.js …` a command. The Containerfile says the same; a test compares the two.
 */
export function imageConfig({ version, revision, createdS }) {
  return {
    User: `${ACCOUNT.id}:${ACCOUNT.id}`,
    ExposedPorts: { '3000/tcp': {} },
    Env: [
      'PATH=/usr/local/bin',
      'NODE_ENV=production',
      'HOST=0.0.0.0',
      'HL7_HOST=0.0.0.0',
      `SUTURA_DATA_DIR=/${DATA_FOLDER}`,
    ],
    Entrypoint: [NODE, ...NODE_OPTIONS],
    Cmd: ['dist/src/main.js'],
    Volumes: { [`/${DATA_FOLDER}`]: {} },
    WorkingDir: `/${SERVICE_FOLDER}`,
    StopSignal: 'SIGTERM',
    // Docker's own field: Kubernetes asks over HTTP, podman reads it from the Containerfile or the compose file.
    Healthcheck: {
      Test: ['CMD', NODE, 'scripts/health-check.mjs'],
      Interval: 10 * SECOND,
      Timeout: 5 * SECOND,
      StartPeriod: 60 * SECOND,
      Retries: 3,
    },
    Labels: {
      'org.opencontainers.image.title': 'Sutura',
      'org.opencontainers.image.description': 'Wound assessment over REST, FHIR R4 and HL7 v2',
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.revision': revision,
      'org.opencontainers.image.created': new Date(createdS * 1000).toISOString(),
    },
  };
}
