/** What a command or route of an advice is called at this page; the gateway gives one advice to all who ask. */
const AT_THE_CONSOLE: readonly (readonly [RegExp, string])[] = [
  [/: POST \/api\/v1\/reports\/\S+\/reviews, or \$attest/, ' at the review desk'],
  [/"jobs retry(?: --id \S+)?" makes/, '“Analyse again” makes'],
  [/"jobs retry(?: --id [^"\s]+)?"/, '“Analyse again”'],
  [/"hl7 destination (?:set|show)"/, 'the settings of the destination'],
  [/with "hl7 destination test"/, 'with “Test” at the connection'],
  [/"hl7 destination test"/, '“Test” at the connection'],
  [/"hl7 destination resume"/, '“Resume” at the connection'],
  [/"hl7 messages --out --state waiting"/, 'what waits, under HL7 messages, Out'],
  [/with "hl7 show"/, 'at the message'],
  [/"hl7 show" has/, 'The message has'],
  [/"hl7 replay" it/, 'process it once more'],
  [/"hl7 requeue" it/, 'send it again'],
  [/"hl7 requeue"/, '“Send again”'],
  [/"hl7 discard"/, '“Give up”'],
  [/"hl7 retry"/, '“Try now”'],
  [/"hl7 move"/, '“Move it there”'],
  [/with "held show --id[^"]*"/, 'under Waiting for a person'],
  [/decide with "held resolve"/, 'and decide there'],
  [/"held resolve --id [^"]*"/, 'have it tried again under Waiting for a person'],
  [/"usage --org ID"/, 'the page of the organization'],
  [/"org set --auto-analyze on"/, 'the setting “auto-analyze” of the organization'],
];

/** An advice in the words of this page, for whoever stands before it. */
export function inConsole(advice: string): string {
  return AT_THE_CONSOLE.reduce((text, [command, words]) => text.replaceAll(new RegExp(command, 'g'), words), advice);
}
