import { TRIGGERED } from './trigger.js';

const ACCESS = `The key is read from SUTURA_API_KEY alone. --url, else SUTURA_BASE_URL, else http://127.0.0.1:PORT (3000) says where the service is.`;

export const USAGE = `Usage: sutura COMMAND [OPTIONS]

  listen --forward-to URL    forward events to your receiver, signed as webhooks are
  trigger EVENT              have an event happen in the test environment, by real work
  samples [NAME… | all]      list sample photos, or save them
  upload FILE                have a photo analysed in the test environment
  clock                      the time of the test environment, and moves it ahead
  logs                       what happened, and what happens

sutura COMMAND --help says more. ${ACCESS}

With a live key: samples as ever; listen and logs only with --live; upload, trigger and clock not at all.
Exit codes: 0 done, 1 failed, 2 called wrongly.
`;

/** What each command says of itself. */
export const USAGES = {
  listen: `Usage: sutura listen --forward-to URL [--type TYPE] [--since TIME] [--state FILE] [--live] [--url URL]

Asks the service for events (GET /api/v1/events) and posts each to URL as a webhook with the content "ids": the same id, body and headers, in
order, one after another. No port of this machine is opened. data.sequence counts what this listener forwarded.

The signature is made with SUTURA_WEBHOOK_SECRET (whsec_…) or, without it, with a secret that is printed and stays the same for the same key.
An event that your receiver does not take (2xx within 20 s; redirects are not followed) is tried again, 1 to 30 s apart, without end;
410 ends the command. The place is kept in FILE (.sutura-listen.json): started again, it goes on where it was left, and forwards
what happened meanwhile. What is in the log is not left out, also after the service was restored from a back-up; what is older than 30 days
has left it, and how much was missed is said. One event whose answer was being waited for when the command was killed comes again, with the
same webhook-id. One FILE for each URL, key and type: another one, as after a new key, is refused with the --since that goes on from here.

--since TIME   begin there (RFC 3339, such as 2026-03-15T08:00:00Z) and not now, where FILE has no place yet
--type TYPE    events of this type alone
--live         needed with a live key; URL is then on this machine, or https
${ACCESS} Scope: analysis:read.
`,
  trigger: `Usage: sutura trigger EVENT [--url URL]

EVENT: ${TRIGGERED.join(', ')}

Sends the sample clean-wound to the test environment as a new wound of the invented patient "sutura-trigger", does what the event comes of,
waits for it in the log, and prints it. Each call costs one analysis. Nothing is made up: webhooks, listeners and Subscriptions are told as
ever. quota.threshold, endpoint.disabled and delivery.recovered are not triggered. Never with a live key.
${ACCESS} Scopes: images:write, analysis:write, analysis:read; analysis:review for report.amended, report.reviewed and wound.closed.
`,
  samples: `Usage: sutura samples [--url URL]
       sutura samples NAME… | all [--fresh] [--out FOLDER] [--url URL]

Lists the sample photos of the service, or saves those that are named as FOLDER/NAME.jpg, never over a file that is there. Nobody is shown.
--fresh: copies with other pixels, not taken for the same photo.
What the shipped models make of each: GET /api/v1/samples.
${ACCESS} Scope: analysis:read.
`,
  upload: `Usage: sutura upload FILE | --sample NAME [--fresh] [OPTIONS]

Uploads a photo, has it analysed in the test environment, waits, and says what came of it: area, why the result waits
for a person (exit code 0 all the same: the job is done), and what makes its figures doubtful. Costs one analysis. Never with a live key.

--sample NAME          a sample photo instead of a file; --fresh: a copy with other pixels, not taken for the same photo
--patient ID           subject.patientId; --wound ID: subject.woundId
--captured-at TIME     RFC 3339
--mm-per-pixel NUMBER  the scale, where there is no card in the photo
--metadata KEY=VALUE   a reference of yours; may be repeated
--outcome OUTCOME      metadata.sandbox: job_failed, slow:30s, quota_exceeded, needs_review, held:identity_conflict
--json                 the whole job as one line of JSON
${ACCESS} Scopes: images:write, analysis:write, analysis:read.
`,
  clock: `Usage: sutura clock [--advance DURATION | --set TIME] [--url URL]

Says the time of the test environment of the organization, once it was moved where that is asked for. It goes forward only, for everybody in the
organization, and nothing but a new organization sets it back. What follows it: when a photo was taken that does not say so, reports and decisions,
photos that are due, retention, the timestamp of events, the end of review links. Never with a live key.

--advance DURATION  ISO 8601 of whole weeks, days, hours, minutes and seconds: P28D, P8W, PT36H
--set TIME          RFC 3339, such as 2026-05-10T08:30:00Z
${ACCESS} Scope: analysis:write.
`,
  logs: `Usage: sutura logs [--since TIME] [--type TYPE] [--follow] [--json] [--live] [--url URL]

Prints the events of the last 24 hours, or since TIME (30 days at most), oldest first; with --follow also those that happen, until Ctrl-C.
--live is needed with a live key.
${ACCESS} Scope: analysis:read.
`,
} as const;

export type CommandName = keyof typeof USAGES;
