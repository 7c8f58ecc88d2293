/** The import table of the architecture, by resolved path, and no circles. */
/** Which rooms of src a room may import, besides itself; `index` is what a room shows to others. */
const ROOMS = {
  core: [],
  platform: ['core/(?:errors|ports|tenancy)/'],
  records: ['core/', 'platform/'],
  storage: ['core/', 'platform/'],
  inference: ['core/', 'platform/'],
  identity: ['core/', 'platform/'],
  events: ['core/', 'platform/'],
  reports: ['core/', 'platform/'],
  backup: ['core/', 'platform/'],
  research: ['core/', 'platform/', 'records/'],
  ehrs: ['core/', 'platform/', 'identity/index'],
  'web-pages': ['core/', 'platform/'],
  standards: ['core/', 'platform/', 'reports/index'],
  'exits/kit': ['core/', 'platform/'],
  'exits/http': ['core/', 'platform/', 'exits/kit/'],
  'exits/mllp': ['core/', 'platform/', 'reports/index', 'standards/hl7v2/', 'exits/kit/index'],
  'exits/webhooks': ['core/', 'platform/', 'exits/(?:kit|http)/index'],
  'exits/ehr': ['core/', 'platform/', 'reports/index', 'ehrs/index', 'standards/hl7v2/records/', 'exits/kit/index'],
  'exits/subscriptions': ['core/', 'platform/', 'reports/index', 'standards/fhir/', 'exits/(?:kit|http)/index'],
  'doors/native': ['core/', 'platform/', 'identity/index', 'reports/index', 'exits/(?:kit|http|webhooks)/index'],
  'doors/fhir': [
    'core/',
    'platform/',
    'identity/index',
    'reports/index',
    'standards/fhir/',
    'exits/http/index',
    'exits/subscriptions/',
  ],
  'doors/smart': ['core/', 'platform/', 'identity/index', 'ehrs/index', 'reports/index'],
  'doors/hl7v2': ['core/', 'platform/', 'identity/index', 'reports/index', 'standards/hl7v2/', 'exits/mllp/'],
  'doors/cds': ['core/', 'platform/', 'identity/index', 'reports/index', 'ehrs/index', 'standards/fhir/outcome/'],
  'doors/admin': [
    'core/',
    'platform/',
    'identity/',
    'ehrs/index',
    'standards/',
    'exits/mllp/',
    'exits/webhooks/index',
    'doors/native/webhooks/',
    'doors/hl7v2/',
  ],
};
/** Tables of the contract that pages list: each is one file of core that runs in a browser. */
const CONTRACT_TABLES = [
  'report/languages',
  'tenancy/api-key',
  'tenancy/roles',
  'tenancy/tenant',
  'deliveries/webhook-events',
  'analysis/clinician-observations',
  'followup/clinical-event',
].map((table) => `^src/core/${table}\\.ts$`);
const NOT_TESTS = '\\.spec\\.ts$';

/**
 * The floors of each folder of src, roof first. A folder imports only folders on floors below its own; folders of one
 * floor stand side by side and do not know each other. Files at the top of a folder are its roof and no folder below
 * imports them, unless '.' gives them a floor. Each README draws the same floors.
 */
const FLOORS = {
  'doors/native': [
    ['.'],
    ['openapi'],
    ['wounds', 'review-desk'],
    ['reports'],
    ['analysis', 'images', 'calibration', 'models', 'webhooks', 'events', 'samples', 'sandbox', 'held'],
    ['route', 'subject', 'paging', 'audit', 'idempotency'],
  ],
  'doors/fhir': [
    ['.'],
    ['http'],
    ['operations', 'records'],
    ['export'],
    ['bundle', 'intake'],
    ['projection'],
    ['photo'],
    ['audit', 'interactions'],
    ['search'],
    ['call'],
  ],
  'doors/smart': [['.'], ['chart'], ['protocol'], ['page']],
  'doors/hl7v2': [['http'], ['inbox'], ['ack'], ['mapping']],
  'doors/hl7v2/inbox': [['.'], ['receiving'], ['processing'], ['listeners', 'store']],
  'doors/hl7v2/mapping': [['.'], ['messages'], ['resources'], ['reading'], ['plan']],
  'doors/admin': [
    ['.'],
    ['session'],
    [
      'audit',
      'authorities',
      'deliveries',
      'erasure',
      'failures',
      'figures',
      'held',
      'jobs',
      'organizations',
      'reviewing',
      'standing',
      'trace',
      'users',
      'hl7v2',
      'ehrs',
      'webhooks',
    ],
    ['action'],
  ],
  'doors/admin/hl7v2': [['actions', 'trace'], ['operations']],
  exits: [['mllp', 'webhooks', 'subscriptions', 'ehr'], ['http'], ['kit']],
  'exits/kit': [['.'], ['sender'], ['queue']],
  'exits/mllp': [['.'], ['results', 'sender'], ['destinations', 'routing', 'oru'], ['outbox'], ['settings']],
  'exits/webhooks': [['.'], ['events', 'sender'], ['queue'], ['endpoints']],
  'exits/ehr': [['.'], ['events', 'sender'], ['filing'], ['calls', 'queue'], ['dialects'], ['settings']],
  'standards/fhir': [
    ['store', 'xml'],
    ['outcome', 'search-index'],
    ['validation'],
    ['profiles'],
    ['definitions'],
    ['types'],
  ],
  'standards/hl7v2': [['records'], ['encryption', 'files', 'mllp'], ['er7'], ['problems']],
  records: [
    ['.'],
    ['reports', 'standing', 'trace'],
    ['analysis', 'organizations', 'patients', 'users', 'audit', 'ehrs'],
    ['held'],
    ['events'],
  ],
  core: [
    ['launch'],
    ['trace', 'wounds', 'remote-images', 'deliveries', 'figures', 'failures', 'held', 'standing', 'ehrs'],
    ['report'],
    ['followup', 'erasure'],
    ['analysis', 'attachments'],
    ['images'],
    ['organizations', 'patients', 'idempotency', 'audit', 'domain-events', 'calibration', 'users'],
    ['measurement', 'ports'],
    ['tissue', 'tenancy', 'times', 'errors'],
  ],
  events: [['late-images', 'outbox', 'retention'], ['recurring']],
  reports: [
    ['.'],
    ['nl-core-wound'],
    ['rendering', 'diagnostic-report', 'assemble'],
    ['calibration-card'],
    ['html', 'pdf', 'text'],
    ['documents'],
    ['body-map', 'wording', 'terminology'],
  ],
  identity: [['.'], ['oidc', 'smart'], ['guards', 'audit'], ['keys', 'throttle', 'sessions']],
  platform: [
    ['cli', 'database'],
    ['health'],
    ['.'],
    ['embedded-postgres', 'encryption', 'http', 'http-client'],
    ['tracing', 'turns'],
    ['config', 'logging'],
  ],
  'tools/evaluation': [['.'], ['wounds', 'tissue'], ['report', 'sheet'], ['pictures'], ['metrics']],
  inference: [['.'], ['worker'], ['queue', 'model'], ['imaging']],
  'inference/imaging': [['markers'], ['.'], ['quality', 'drawing']],
  storage: [['upload'], ['drivers'], ['encryption', 'fetch', 'signing', 'samples']],
};

const floorRules = ([top, floors]) => {
  const placed = floors.flat();
  const root = top.startsWith('tools/') ? `^${top}/` : `^src/${top}/`;
  const pathOf = (folder) => (folder === '.' ? `${root}[^/]+$` : `${root}${folder}/`);
  const rules = floors.flatMap((floor, height) =>
    floor.map((folder) => ({
      name: `floors-of-${top}`,
      severity: 'error',
      comment: `${top}/${folder} imports only what stands below it: see FLOORS`,
      from: { path: pathOf(folder), pathNot: NOT_TESTS },
      to: { path: root, pathNot: [folder, ...floors.slice(height + 1).flat()].map(pathOf) },
    })),
  );
  const unplaced = {
    name: `floors-of-${top}`,
    severity: 'error',
    comment: `A folder of ${top} that has no floor: give it one in FLOORS`,
    from: { path: `${root}[^/]+/`, pathNot: [NOT_TESTS, ...placed.map(pathOf)] },
    to: {},
  };
  return [...rules, unplaced];
};

const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  comment: `${from} may import ${allowed.join(', ') || 'itself'} only`,
  from: { path: `^src/${from}/`, pathNot: NOT_TESTS },
  to: { path: '^src/', pathNot: [`${from}/`, ...allowed].map((folder) => `^src/${folder}`) },
});

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'core-imports-nothing',
      severity: 'error',
      from: { path: '^src/core/', pathNot: NOT_TESTS },
      to: { pathNot: '^src/core/' },
    },
    ...Object.entries(ROOMS).map(([room, allowed]) => only(`rooms-${room.replace('/', '-')}`, room, allowed)),
    {
      name: 'a-room-for-everything',
      severity: 'error',
      comment: 'A folder of src that no row of ROOMS has',
      from: {
        path: '^src/[^/]+/',
        pathNot: [NOT_TESTS, '^src/composition/', ...Object.keys(ROOMS).map((room) => `^src/${room}/`)],
      },
      to: {},
    },
    {
      name: 'tracing-is-behind-its-own-functions',
      severity: 'error',
      comment: 'Spans are made by platform/tracing alone, which keeps patient data out of them',
      from: { path: '^src/', pathNot: '^src/platform/(?:tracing/|http/request-spans)' },
      to: { path: 'node_modules/@opentelemetry/' },
    },
    {
      name: 'evaluation-runs-what-workers-run',
      severity: 'error',
      comment: 'The evaluation may import core, platform and inference only',
      from: { path: '^tools/evaluation/', pathNot: NOT_TESTS },
      to: { path: '^src/', pathNot: ['^src/core/', '^src/platform/', '^src/inference/'] },
    },
    {
      name: 'model-export-stands-on-inference',
      severity: 'error',
      comment: 'The export of models may import core, platform and inference only',
      from: { path: '^tools/model-export/', pathNot: NOT_TESTS },
      to: { path: '^src/', pathNot: ['^src/core/', '^src/platform/', '^src/inference/'] },
    },
    {
      name: 'simulation-stands-on-core',
      severity: 'error',
      from: { path: '^tools/follow-up/', pathNot: NOT_TESTS },
      to: { path: '^src/', pathNot: '^src/core/' },
    },
    {
      name: 'tools-stand-beside',
      severity: 'error',
      comment: 'No folder of the service knows the tools beside it',
      from: { path: '^src/' },
      to: { path: '^tools/' },
    },
    {
      name: 'pages-run-code-of-core',
      severity: 'error',
      comment:
        'The pages run the measurement and the contract tables of core; of everything else they know types, which are erased',
      from: { path: '^web/', pathNot: NOT_TESTS },
      to: {
        path: '^src/',
        pathNot: ['^src/core/(?:measurement|tissue|errors)/', ...CONTRACT_TABLES],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'pages-know-answers',
      severity: 'error',
      comment: 'The pages know types of core and the answers of the doors alone',
      from: { path: '^web/', pathNot: NOT_TESTS },
      to: { path: '^src/', pathNot: ['^src/core/', '^src/doors/.*\\.views\\.ts$'] },
    },
    {
      name: 'composition-only',
      severity: 'error',
      comment: 'The composition and the programs name modules; nothing else imports them',
      from: { path: '^src/[^/]+/', pathNot: '^src/composition/' },
      to: { path: '^src/([^/]+\\.ts$|composition/)' },
    },
    ...Object.entries(FLOORS).flatMap(floorRules),
    {
      name: 'programs-begin',
      severity: 'error',
      comment: 'A program is where everything begins',
      from: { path: '^src/composition/' },
      to: { path: '^src/[^/]+\\.ts$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
