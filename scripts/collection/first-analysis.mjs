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

const photo = { mode: 'file', file: { src: 'clean-wound.jpg' } };

/** Each with the status that must come, and what is kept of the answer. */
export const STEPS = [
  {
    name: '1 Ask for an upload address',
    method: 'POST',
    path: '/api/v1/images/upload-url',
    status: 201,
    keeps: { imageId: 'answer.imageId', uploadUrl: 'answer.uploadUrl' },
    header: [JSON_TYPE],
    body: json({ contentType: 'image/jpeg' }),
  },
  {
    name: '2 Put the photo there',
    method: 'PUT',
    path: '{{uploadUrl}}',
    status: 200,
    header: [{ key: 'Content-Type', value: 'image/jpeg' }],
    body: photo,
    // The address is the permission: it gets no key.
    auth: { type: 'noauth' },
  },
  {
    name: '3 Have it analysed',
    method: 'POST',
    path: '/api/v1/analysis/jobs',
    status: 201,
    keeps: { jobId: 'answer.id' },
    header: [JSON_TYPE, { key: 'Idempotency-Key', value: 'collection-{{imageId}}' }],
    body: json({
      imageId: '{{imageId}}',
      subject: { patientId: 'MRN-COLLECTION', woundId: 'W-1' },
      metadata: { case: '4711' },
    }),
  },
  {
    name: '4 Wait for it, up to 30 seconds; again while it is queued or processing',
    method: 'GET',
    path: '/api/v1/analysis/jobs/{{jobId}}',
    status: 200,
    header: [{ key: 'Prefer', value: 'wait=30' }],
  },
  {
    name: '5 Find its report by your own reference',
    method: 'GET',
    path: '/api/v1/reports?metadata.case=4711',
    status: 200,
    keeps: { reportId: 'answer.items[0].id', woundId: 'answer.items[0].woundRef' },
  },
  { name: '6 Read the report', method: 'GET', path: '/api/v1/reports/{{reportId}}', status: 200 },
  { name: '7 Read the course of the wound', method: 'GET', path: '/api/v1/wounds/{{woundId}}/timeline', status: 200 },
  { name: '8 What happened', method: 'GET', path: '/api/v1/events?limit=100', status: 200 },
];

const toItem = ({ name, method, path, status, keeps = {}, header = [], body, auth }) => ({
  name,
  event: [{ listen: 'test', script: { type: 'text/javascript', exec: expects(status, ...Object.entries(keeps)) } }],
  request: {
    method,
    header,
    ...(body === undefined ? {} : { body }),
    url: path.startsWith('{{') ? path : `{{baseUrl}}${path}`,
    ...(auth === undefined ? {} : { auth }),
  },
});

export const FIRST_ANALYSIS = {
  name: 'First analysis',
  description:
    'From a photo to its report: choose a photo in step 2 (samples/clean-wound.jpg, or GET /api/v1/samples/clean-wound), and run the folder from top to bottom. Costs one analysis.',
  item: STEPS.map(toItem),
};
