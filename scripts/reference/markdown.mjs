// The reference as Markdown files: what `describeCatalogue` of libs/rest says, one file per area with an index.

/** In a cell a bar ends the cell and a line break the row; `<` could begin a tag anywhere. */
const cell = (text) => String(text).replaceAll('\n', ' ').replaceAll('<', '&lt;').replaceAll('|', '\\|');
const code = (text) => `\`${String(text).replaceAll('|', '\\|')}\``;

const table = (head, rows) => [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** JSON with a short list or object on one line. */
const json = (value, indent = '') => {
  const short = JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ');
  if (typeof value !== 'object' || value === null || short.length + indent.length <= 76)
    return JSON.stringify(value) === '{}' ? '{}' : short;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => json(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${json(item, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
};
const fenced = (language, text) => `\`\`\`${language}\n${text}\n\`\`\``;

const typeCell = ({ type, object }) =>
  object === null ? cell(type) : type.replace(object, `[${object}](objects.md#${object})`);

const auditedAs = ({ kind, audits, unauditedBecause }) => {
  if (kind === 'query') return 'not audited (it changes nothing)';
  return audits.length > 0 ? `audited as ${audits.map(code).join(', ')}` : `not audited: ${unauditedBecause}`;
};

/** A pattern is code: its signs would be read as Markdown. */
const limitsCell = (limits) => {
  const [words, pattern] = limits.split(/matches (.+)$/);
  return pattern === undefined ? cell(words) : `${cell(words)}matches ${code(pattern)}`;
};

const argumentTable = (rows) =>
  table(
    ['Argument', 'Type', 'Limits', 'Required'],
    rows.map(({ name, type, limits, required }) => [code(name), cell(type), limitsCell(limits), required ? 'yes' : '']),
  );

const codeTable = (rows) =>
  table(
    ['Code', 'Kind', 'Status', 'Hint'],
    rows.map(({ code: name, kind, status, hint }) => [code(name), cell(kind), status, cell(hint)]),
  );

const keyTable = (rows) =>
  table(
    ['Key', 'Type'],
    rows.map((row) => [code(row.name), typeCell(row)]),
  );

const restLine = ({ method, path, body }, input) => {
  const line = `Over REST: ${code(`${method} ${path}`)}`;
  if (method === 'GET') return `${line}.`;
  if (body === null) return `${line}, without a body.`;
  const all = Object.keys(body).length === Object.keys(input).length;
  return `${line} with ${all ? 'the same' : 'the other arguments'} as its body.`;
};

const operationSection = (operation) => {
  const { name, summary, scope, toolSet, trpc, method, path, statuses, example } = operation;
  const { arguments: rows, results, errors, disclosedOnce } = operation;
  return [
    `## ${name}`,
    summary,
    [
      `- REST ${code(`${method} ${path}`)}, answered with ${statuses.join(' or ')}`,
      `- tRPC ${code(trpc)}, MCP tool ${code(name)} of the set ${code(toolSet)}`,
      `- scope ${code(scope)}; ${auditedAs(operation)}`,
    ].join('\n'),
    rows.length === 0 ? 'It takes no arguments.' : argumentTable(rows),
    `Answer:\n\n${keyTable(results)}`,
    disclosedOnce.length === 0
      ? ''
      : `${disclosedOnce.map(code).join(' and ')} can be read in the first answer only; a replay has null.`,
    errors.length === 0 ? '' : `Refusals of its own:\n\n${codeTable(errors)}`,
    `Example:\n\n${fenced('json', json(example.input))}`,
    restLine(example.request, example.input),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
};

const toolSection = ({ name, summary, scope, toolSet, arguments: rows, results, example }) =>
  [
    `## ${name}`,
    summary,
    `- MCP tool ${code(name)} of the set ${code(toolSet)}\n- scope ${code(scope)}`,
    argumentTable(rows),
    results.length === 0 ? '' : `Answer:\n\n${keyTable(results)}`,
    `Example:\n\n${fenced('json', json(example))}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');

const GENERATED = '<!-- Written by `npm run reference` from libs/contracts. Do not edit. -->';
const document = (...parts) => `${[GENERATED, ...parts].join('\n\n')}\n`;

const areaFile = ({ title, operations }) =>
  document(
    `# ${title}`,
    operations.map(({ name }) => `[${name}](#${name})`).join(' · '),
    ...operations.map(operationSection),
  );

const INTRODUCTION = `Every operation with its arguments, its answer and its refusals. The names, arguments, answers and codes are the same
over MCP (\`/mcp\`), tRPC (\`/trpc\`) and REST (\`/v1\`); a running API shows the REST side at \`/v1/docs\` and
\`/v1/openapi.json\`. Every example here is executed by a test.

- Ids are ULIDs. Instants are RFC 3339 in UTC with milliseconds, dates \`YYYY-MM-DD\`. \`project\` takes an id or a slug.
- Lists take \`limit\` (1 to 200, default 50) and \`cursor\` and answer \`items\` and \`next_cursor\`, null on the last page; a page
  may end before \`limit\`.
- Every mutation takes an idempotency key: \`idempotency_key\` among the arguments or the header \`Idempotency-Key\`. Sent
  again within 24 h it changes nothing more and gives the first answer, marked \`dev.perdure/replayed\` in \`_meta\` (MCP) or
  \`Idempotent-Replayed: true\` (HTTP).
- A refusal is \`{kind, code, message, hint, details}\`; see [codes](codes.md). Unknown arguments are refused by name.
- The workspace comes from the credential, never from an argument.`;

const CALLING = `## Calling it

The address is \`api_url\` of \`stack.json\` in the data folder of \`npm start\`, the token one of those beside it or what
\`issue_credential\` answered. The examples speak of a project \`payments\`, which has to be created first:

${fenced(
  'sh',
  `api=http://127.0.0.1:7400
token=prd_live_…

# REST: what is not part of the path is the JSON body, or the query of a GET
curl $api/v1/projects -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \\
  -d '{"name": "Payments", "slug": "payments"}'
curl "$api/v1/projects?limit=10" -H "Authorization: Bearer $token"

# tRPC: a mutation by POST, a query by GET with its arguments in \`input\`; the answer is \`result.data\`
curl $api/trpc/sessions.startBuildSession -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \\
  -d '{"project": "payments", "computer": "laptop", "branch": "main"}'
curl -G $api/trpc/backlog.listReadyBacklogItems -H "Authorization: Bearer $token" \\
  --data-urlencode 'input={"project": "payments"}'`,
)}`;

const indexFile = ({ areas }) =>
  document(
    '# Reference',
    INTRODUCTION,
    CALLING,
    'Also: [objects](objects.md), [codes](codes.md), [audit events](events.md), and two tools of [MCP alone](mcp.md).',
    ...areas.map(({ name, title, operations }) =>
      [
        `## ${title}`,
        table(
          ['Operation', 'Scope', 'Route', ''],
          operations.map((operation) => [
            `[${operation.name}](${name}.md#${operation.name})`,
            code(operation.scope),
            code(`${operation.method} ${operation.path}`),
            cell(operation.title),
          ]),
        ),
      ].join('\n\n'),
    ),
  );

/**
 * @param {object} catalogue what `describeCatalogue` of libs/rest returns, and `tools` of MCP alone
 * @returns {Map<string, string>} text by file name
 */
export const referenceFiles = (catalogue) => {
  const { areas, objects, codes, events, tools } = catalogue;
  return new Map([
    ['README.md', indexFile(catalogue)],
    ...areas.map((area) => [`${area.name}.md`, areaFile(area)]),
    ['objects.md', document('# Objects', ...objects.map(({ name, keys }) => `## ${name}\n\n${keyTable(keys)}`))],
    [
      'mcp.md',
      document('# MCP alone', 'Tools that reach every operation, whatever is listed.', ...tools.map(toolSection)),
    ],
    ['codes.md', document('# Codes', 'Codes are permanent: programs branch on them.', codeTable(codes))],
    [
      'events.md',
      document(
        '# Audit events',
        'Written in the same transaction as the row they record.',
        table(
          ['Event', 'Says'],
          events.map(({ name, summary }) => [code(name), cell(summary)]),
        ),
      ),
    ],
  ]);
};
