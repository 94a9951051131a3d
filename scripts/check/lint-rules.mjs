// Lint rules of our own, for hazards no published rule knows.

const UNSCOPED_MEMBERS = new Set(['query', 'getRepository', 'manager', 'createQueryRunner', 'createQueryBuilder']);

/** Last name of `dataSource`, `this.dataSource` or `store.dataSource`. */
const lastName = (node) => {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'MemberExpression' && !node.computed ? node.property.name : undefined;
};

const isDataSource = (node, services) => {
  if (/^(?:dataSource|ds)$/i.test(lastName(node) ?? '')) return true;
  // Without a program (an editor on a lone file) the name is all there is to go by.
  if (!services?.program) return false;
  return services.getTypeAtLocation(node).getSymbol()?.name === 'DataSource';
};

/**
 * A query on the data source runs outside the tenant transaction, where no workspace is set: row-level security then
 * answers with no rows, or with the rows of whoever set it last on that connection. Only the store opens transactions.
 */
const tenantTransactionOnly = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      unscoped: 'dataSource.{{member}} leaves the tenant transaction: use the store, or write it in libs/store.',
    },
  },
  create(context) {
    const services = context.sourceCode.parserServices;
    return {
      MemberExpression(node) {
        const member = node.computed ? undefined : node.property.name;
        if (!UNSCOPED_MEMBERS.has(member) || !isDataSource(node.object, services)) return;
        context.report({ node, messageId: 'unscoped', data: { member } });
      },
    };
  },
};

const statementAround = (node) => {
  let current = node;
  while (current.parent && !/Statement$|Declaration$|^PropertyDefinition$|^Property$/.test(current.type)) {
    current = current.parent;
  }
  return current;
};

/** A type assertion overrules the compiler; a comment on its line, or on the line above it or its statement, says why it may. */
const reasonedAssertion = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      bare: 'Say in a comment (same line or the line above) why the compiler may be overruled, or narrow instead.',
    },
  },
  create(context) {
    const commentEnds = new Set();
    for (const comment of context.sourceCode.getAllComments()) commentEnds.add(comment.loc.end.line);
    const explained = (line) => commentEnds.has(line) || commentEnds.has(line - 1);
    return {
      TSAsExpression(node) {
        const target = node.typeAnnotation;
        const isConst = target.type === 'TSTypeReference' && target.typeName.name === 'const';
        // `as unknown` alone only forgets a type; the assertion that follows it is the one that needs a reason.
        if (isConst || target.type === 'TSUnknownKeyword') return;
        const lines = [target.loc.start.line, node.loc.start.line, statementAround(node).loc.start.line];
        if (!lines.some(explained)) context.report({ node, messageId: 'bare' });
      },
    };
  },
};

export const perdureRules = {
  rules: { 'tenant-transaction-only': tenantTransactionOnly, 'reasoned-assertion': reasonedAssertion },
};
