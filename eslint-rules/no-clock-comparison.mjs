// Tests do not compare the clock of their own process with a time that something else wrote.
const COMPARISONS = new Set(['<', '>', '<=', '>=', '==', '===', '!=', '!==']);
/** Matchers that compare by size: a reading that was kept in a variable may be stored and found again, but not be ranked. */
const RANKING = new Set([
  'toBeGreaterThan',
  'toBeGreaterThanOrEqual',
  'toBeLessThan',
  'toBeLessThanOrEqual',
  'toBeCloseTo',
]);
/** Functions that give a time back in another form, or put it into what is expected. */
const REWRITERS = new Set(['Math', 'Number', 'String', 'Date', 'expect']);
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

export const noClockComparison = {
  meta: {
    type: 'problem',
    docs: { description: 'Refuses comparisons of the clock of the test with a time from elsewhere.' },
    schema: [],
    messages: {
      compared:
        'Two clocks are compared. Inject the clock, compare times of one clock, or measure a duration with performance.now().',
    },
  },
  create(context) {
    const reported = new Set();
    const report = (node) => {
      if (reported.has(node)) return;
      reported.add(node);
      context.report({ node, messageId: 'compared' });
    };
    const check = (node) => {
      const place = comparisonAround(node);
      if (place !== null) report(node);
    };
    /** Uses of a variable that holds a reading. */
    const follow = (declarator) => {
      for (const variable of context.sourceCode.getDeclaredVariables(declarator))
        for (const { identifier, init } of variable.references)
          if (init !== true && comparisonAround(identifier)?.isRanking === true) report(identifier);
    };
    const read = (node) => {
      check(node);
      const declarator = declaratorAround(node);
      if (declarator !== null) follow(declarator);
    };
    return {
      'CallExpression[callee.object.name="Date"][callee.property.name="now"]': read,
      'NewExpression[callee.name="Date"][arguments.length=0]': read,
    };
  },
};

/** The comparison that the node is part of, an `expect` counted as one; null: it is not compared here. */
function comparisonAround(node) {
  for (
    let [at, parent] = [node, node.parent];
    parent && !FUNCTIONS.has(parent.type);
    [at, parent] = [parent, parent.parent]
  ) {
    if (parent.type === 'BinaryExpression' && COMPARISONS.has(parent.operator))
      return { isRanking: !parent.operator.includes('=') || /^[<>]=$/.test(parent.operator) };
    if (parent.type === 'CallExpression' && parent.arguments.includes(at)) {
      if (parent.callee.name === 'expect') return { isRanking: RANKING.has(matcherOf(parent)) };
      if (isExpectation(parent.callee)) return { isRanking: RANKING.has(parent.callee.property.name) };
      // What is handed to anything else is for that to judge.
      if (!REWRITERS.has(parent.callee.object?.name ?? parent.callee.name)) return null;
    }
  }
  return null;
}

/** `expect(…).not.toBe` of a call of it. */
function isExpectation(callee) {
  if (callee.type !== 'MemberExpression') return false;
  let { object } = callee;
  while (object.type === 'MemberExpression') ({ object } = object);
  return object.type === 'CallExpression' && object.callee.name === 'expect';
}

function matcherOf(expectCall) {
  let name;
  for (let at = expectCall.parent; at?.type === 'MemberExpression'; at = at.parent) name = at.property.name;
  return name;
}

/** The declaration of a variable that is the reading itself, or a time reckoned from it. */
function declaratorAround(node) {
  for (let [at, parent] = [node, node.parent]; parent; [at, parent] = [parent, parent.parent]) {
    if (parent.type === 'VariableDeclarator') return parent.id.type === 'Identifier' ? parent : null;
    if (!isReckoning(parent, at)) return null;
  }
  return null;
}

function isReckoning(parent, at) {
  switch (parent.type) {
    case 'BinaryExpression':
      return !COMPARISONS.has(parent.operator);
    case 'MemberExpression':
    case 'UnaryExpression':
      return true;
    case 'NewExpression':
      return parent.callee.name === 'Date';
    case 'CallExpression':
      return parent.callee === at || parent.callee.object?.name === 'Math';
    default:
      return false;
  }
}
