/** Says of each test when it begins and how it ended: Jest’s own reporters tell at the end of a file, so that one that hangs does not say where. */
class AsTheyEnd {
  onTestCaseStart(_, { ancestorTitles, title }) {
    process.stderr.write(`  … ${[...ancestorTitles, title].join(' › ')}\n`);
  }

  onTestCaseResult(_, { status, duration, failureMessages }) {
    process.stderr.write(`    ${status}${typeof duration !== 'number' ? '' : ` (${duration} ms)`}\n`);
    for (const message of failureMessages) process.stderr.write(`${message.replaceAll(/^/gm, '      ')}\n`);
  }
}

module.exports = AsTheyEnd;
