// Tests wait for an event, not for time: `eventually` (test/support/eventually.ts) asks until it is there.
const TIMERS = /^(?:node:)?timers\/promises$/;
const MESSAGE = 'waited';

export const noWaitingForTime = {
  meta: {
    type: 'problem',
    docs: { description: 'Refuses waits of a fixed time.' },
    schema: [],
    messages: {
      [MESSAGE]:
        'A fixed time is waited for. Wait for the event: `eventually` of test/support/eventually.ts asks for it.',
    },
  },
  create(context) {
    const report = (node) => context.report({ node, messageId: MESSAGE });
    return {
      ImportDeclaration(node) {
        if (!TIMERS.test(node.source.value)) return;
        for (const one of node.specifiers)
          if (one.type !== 'ImportSpecifier' || /^(?:setTimeout|scheduler)$/.test(one.imported.name)) report(one);
      },
      ImportExpression(node) {
        if (TIMERS.test(node.source.value)) report(node);
      },
      CallExpression(node) {
        const { callee } = node;
        if (callee.name === 'promisify' && node.arguments[0]?.name === 'setTimeout') return report(node);
        // Of a page in a browser.
        if (callee.property?.name === 'waitForTimeout') return report(node);
        if (isTimer(callee) && resolves(node.arguments[0], resolverAround(node))) report(node);
      },
    };
  },
};

function isTimer(callee) {
  const name = callee.name ?? (callee.object?.name === 'globalThis' ? callee.property.name : undefined);
  return name === 'setTimeout';
}

/** The name by which the executor of the promise around the node settles it well. */
function resolverAround(node) {
  for (let at = node.parent; at; at = at.parent) {
    const isExecutor = at.parent?.type === 'NewExpression' && at.parent.callee.name === 'Promise';
    if (isExecutor) return at.params?.[0]?.name ?? null;
  }
  return null;
}

/** Whether the timer does nothing but settle the promise. */
function resolves(callback, resolver) {
  if (resolver === null || callback === undefined) return false;
  if (callback.type === 'Identifier') return callback.name === resolver;
  if (callback.type !== 'ArrowFunctionExpression' && callback.type !== 'FunctionExpression') return false;
  const { body } = callback;
  const only = body.type === 'BlockStatement' ? (body.body.length === 1 ? body.body[0].expression : undefined) : body;
  return only?.type === 'CallExpression' && only.callee.name === resolver;
}
