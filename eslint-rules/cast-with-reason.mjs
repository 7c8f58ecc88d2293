// A cast by way of `unknown` switches the type checker off, so it says why that is right here.
export const castWithReason = {
  meta: {
    type: 'problem',
    docs: { description: 'Asks for a comment above a cast by way of unknown.' },
    schema: [],
    messages: {
      unexplained: 'Say in a comment on the line above why no check is needed, or narrow the type without a cast.',
    },
  },
  create({ sourceCode, report }) {
    return {
      'TSAsExpression > TSAsExpression > TSUnknownKeyword'(node) {
        const cast = node.parent.parent;
        const lineOf = (one) => one.loc.start.line;
        const lines = [lineOf(cast), lineOf(statementAround(cast))];
        const isExplained = sourceCode.getAllComments().some(({ loc }) => lines.includes(loc.end.line + 1));
        if (!isExplained) report({ node: cast, messageId: 'unexplained' });
      },
    };
  },
};

function statementAround(node) {
  return /Statement$|Declaration$|^PropertyDefinition$/.test(node.type) ? node : statementAround(node.parent);
}
