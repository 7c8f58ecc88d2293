// The folder of the collection that is run from top to bottom: each request keeps what the next one needs.

/** Fails the request in the runner where the answer is another, and says what came. */
const expects = (status, ...keeps) => [
  `pm.test('answers ${status}', () => {`,
  `  if (pm.response.code !== ${status}) throw new Error(pm.response.code + ' ' + pm.response.text());`,
  '});',
  ...(keeps.length === 0 ? [] : ['const answer = pm.response.json();']),
  ...keeps.map(([name, value]) => `pm.collectionVariables.set('${name}', ${value});`),
];

const JSON_TYPE = { key: 'Content-Type', value: 'application/json' };
const json = (value) => ({
  mode: 'raw',
  raw: JSON.stringify(value, null, 2),
  options: { raw: { language: 'json' } },
});

const step = (name, method, path, script, { header = [], body, ...more } = {}) => ({
  name,
  event: [{ listen: 'test', script: { type: 'text/javascript', exec: script } }],
  request: {
    method,
    header,
    ...(body === undefined ? {} : { body }),
    url: path.startsWith('{{') ? path : `{{baseUrl}}${path}`,
    ...more,
  },
});

export const FIRST_ANALYSIS = {
  name: 'First analysis',
  description:
    'From a photo to its report: choose a photo in step 2 (samples/clean-wound.jpg, or GET /api/v1/samples/clean-wound), and run the folder from top to bottom. Costs one analysis.',
  item: [
    step(
      '1 Ask for an upload address',
      'POST',
      '/api/v1/images/upload-url',
      expects(201, ['imageId', 'answer.imageId'], ['uploadUrl', 'answer.uploadUrl']),
      { header: [JSON_TYPE], body: json({ contentType: 'image/jpeg' }) },
    ),
    step('2 Put the photo there', 'PUT', '{{uploadUrl}}', expects(200), {
      header: [{ key: 'Content-Type', value: 'image/jpeg' }],
      body: { mode: 'file', file: { src: 'clean-wound.jpg' } },
      // The address is the permission: it gets no key.
      auth: { type: 'noauth' },
    }),
    step('3 Have it analysed', 'POST', '/api/v1/analysis/jobs', expects(201, ['jobId', 'answer.id']), {
      header: [JSON_TYPE, { key: 'Idempotency-Key', value: 'collection-{{imageId}}' }],
      body: json({
        imageId: '{{imageId}}',
        subject: { patientId: 'MRN-COLLECTION', woundId: 'W-1' },
        metadata: { case: '4711' },
      }),
    }),
    step(
      '4 Wait for it, up to 30 seconds; again while it is queued or processing',
      'GET',
      '/api/v1/analysis/jobs/{{jobId}}',
      expects(200),
      { header: [{ key: 'Prefer', value: 'wait=30' }] },
    ),
    step(
      '5 Find its report by your own reference',
      'GET',
      '/api/v1/reports?metadata.case=4711',
      expects(200, ['reportId', 'answer.items[0].id'], ['woundId', 'answer.items[0].woundRef']),
    ),
    step('6 Read the report', 'GET', '/api/v1/reports/{{reportId}}', expects(200)),
    step('7 Read the course of the wound', 'GET', '/api/v1/wounds/{{woundId}}/timeline', expects(200)),
    step('8 What happened', 'GET', '/api/v1/events?limit=100', expects(200)),
  ],
};
