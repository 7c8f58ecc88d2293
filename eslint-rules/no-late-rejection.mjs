// A promise that fails while the test still waits for another ends the whole file: Node calls its rejection unhandled.
const MESSAGE = 'late';

export const noLateRejection = {
  meta: {
    type: 'problem',
    docs: { description: 'Refuses loops over calls that have begun, where each must fail.' },
    schema: [],
    messages: {
      [MESSAGE]:
        'All of these begin at once, and one may fail before it is waited for. List functions, call each in its turn.',
    },
  },
  create(context) {
    return {
      ForOfStatement(node) {
        const [, second] = node.right.type === 'ArrayExpression' ? node.right.elements : [];
        const name = node.left.declarations?.[0]?.id.name;
        if (second?.type !== 'CallExpression' || name === undefined) return;
        const body = context.sourceCode.getText(node.body);
        if (new RegExp(`expect\\(\\s*${name}\\s*\\)\\s*\\.rejects\\b`).test(body))
          context.report({ node: node.right, messageId: MESSAGE });
      },
    };
  },
};
