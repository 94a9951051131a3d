// The story of the README, told by MCP clients against a running stack: an agent works and ends, a loop of the night stops
// by itself, another agent on a new machine gets all of it back, and the audit chain proves it.
import { call, closeAll, connect, refusalOf } from './mcp-agent.mjs';

const WIDTH = 100;
/** Of its own: what the story leaves behind has no place in the briefs of other work. */
const PROJECT = 'demo-story';
const FILE = 'src/payments/client.ts';
const RULE = 'Never retry a payment without an Idempotency-Key';

/**
 * @param {Record<'mcp_url' | 'agent_token' | 'measurer_token' | 'admin_token' | 'auditor_token', string>} stack
 *   as stack.json has it
 * @param {(line: string) => void} print
 */
export async function playStory(stack, print) {
  const say = narrator(print);
  const where = { project: PROJECT, branch: `demo-${Date.now().toString(36)}` };
  const agent = (name, token = stack.agent_token) => connect(name, `${stack.mcp_url}?toolsets=core,loop,rules`, token);
  const laptop = await agent('demo-laptop');
  const server = await agent('demo-new-machine');
  const admin = await agent('demo-admin', stack.admin_token);
  const testStep = await agent('demo-test-step', stack.measurer_token);
  const auditor = await connect('demo-auditor', stack.mcp_url, stack.auditor_token);
  try {
    await makeProject(admin);
    await agreeOnARule(admin, where.project);
    const first = await workOnTheLaptop(say, laptop, where);
    await spendTheNight(say, { worker: server, other: admin, testStep }, { ...where, item: first.item });
    await resumeElsewhere(say, server, { ...where, first });
    await proveIt(say, auditor);
  } finally {
    await closeAll([laptop, server, admin, testStep, auditor]);
  }
}

async function makeProject(admin) {
  const made = await Promise.allSettled([call(admin, 'create_project', { name: PROJECT, slug: PROJECT })]);
  if (made[0].status === 'rejected' && refusalOf(made[0]).code !== 'slug_taken') throw made[0].reason;
}

/** What the story takes for granted: a person has written the rule down once. */
async function agreeOnARule(admin, project) {
  const { items } = await call(admin, 'list_rules', { project, limit: 200 });
  if (items.some((rule) => rule.title === RULE)) return;
  await call(admin, 'create_rule', {
    project,
    title: RULE,
    body_markdown: 'A retry without a key can charge twice. Make the key once per order, not per attempt.',
    severity: 'must',
    triggers: { paths: ['src/payments/**'], code_patterns: ['(?i)retr(y|ies)'] },
  });
}

async function workOnTheLaptop(say, client, { project, branch }) {
  say.chapter('An agent starts work on a laptop');
  const key = { project, computer: 'laptop', branch };
  const started = await call(client, 'start_build_session', {
    ...key,
    intent: 'Make payment retries safe',
  });
  const id = started.build_session.id;
  say.did('start_build_session', `session ${id}, resumed: ${started.resumed}`);
  const again = await call(client, 'start_build_session', key);
  say.did('start_build_session', `the same key after a crash: the same session, resumed: ${again.resumed}`);
  await askForRules(say, client, { project, build_session_id: id });
  for (const lead of ['Reading the client; no retries yet.', 'Retries in place. **Next:** the idempotency key.']) {
    await call(client, 'prepend_build_session_lead', { build_session_id: id, new_lead_markdown: lead });
    say.did('prepend_build_session_lead', lead);
  }
  const { decision, linked_by } = await call(client, 'append_decision_log', {
    title: 'Send an Idempotency-Key with payments',
    rationale_markdown: 'The gateway stores answers for 24 h; a retry then cannot charge twice.',
    decided_on: new Date().toISOString().slice(0, 10),
    changes_public_contract: true,
    paths: [FILE],
  });
  say.did('append_decision_log', `“${decision.title}”, linked by ${linked_by}`);
  const { backlog_item: item } = await call(client, 'file_backlog_item', {
    title: 'Test the retries against the sandbox',
    body_markdown: 'The sandbox was down all day.',
    priority: 'high',
    category: 'test',
  });
  say.did('file_backlog_item', `“${item.title}”, ${item.priority}, for whoever comes next`);
  await endWork(say, client, id);
  return { id, item };
}

async function askForRules(say, client, session) {
  const change = { ...session, file_paths: [FILE], code: 'await retry(() => pay(order));' };
  const [rule] = (await call(client, 'query_applicable_rules', change)).rules;
  say.did('query_applicable_rules', `before the change: “${rule.title}” (${rule.severity}), it says:`);
  say.quote(rule.body_markdown);
  const [seen] = (await call(client, 'query_applicable_rules', change)).rules;
  say.did(
    'query_applicable_rules',
    `asked again, seen_in_session: ${seen.seen_in_session}, so its text is not paid for twice`,
  );
}

async function endWork(say, client, id) {
  const ended = await call(client, 'end_build_session', {
    build_session_id: id,
    session_history_entry_markdown: 'Retries and idempotency keys are in. Open: a test against the sandbox.',
    related_prs: [{ url: 'https://github.com/acme/app/pull/17' }],
  });
  say.did('end_build_session', `ended at ${ended.build_session.ended_at}, with ${ended.build_session.prs[0].url}`);
}

async function spendTheNight(say, { worker, other, testStep }, { project, branch, item }) {
  say.chapter('In the night, two workers want the same item, and the one that gets it loops');
  const claims = await Promise.allSettled(
    [worker, other].map((client) => call(client, 'claim_backlog_item', { backlog_item_id: item.id })),
  );
  const won = claims.find(({ status }) => status === 'fulfilled').value.backlog_item;
  say.did('claim_backlog_item', `${won.assignee} has it: ${won.status}`);
  say.did(
    'claim_backlog_item',
    `the other is told: ${refusalOf(claims.find(({ status }) => status === 'rejected')).code}`,
  );
  const loop = { project, branch, loop: 'overnight' };
  const counted = await call(worker, 'count_loop_call', { ...loop, session_id: 'night-1' });
  say.did(
    'count_loop_call',
    `the agent’s shell call ${counted.bash_calls} of ${counted.cap}, allowed: ${counted.allowed}`,
  );
  const measured = { ...loop, failing_signature: 'payments > retry > answers once', diff_hash: '9f2c41d7ab' };
  for (let round = 0; round < 4; round += 1) {
    const { work, no_progress } = await call(testStep, 'record_loop_measurement', measured);
    const again = round === 0 ? `“${work.failing_signature}” fails` : 'it fails again over the same diff';
    const verdict = no_progress ? 'no_progress, the loop stops here' : 'go on';
    say.did('record_loop_measurement', `${again}: unchanged ${work.unchanged}, ${verdict}`);
  }
}

async function resumeElsewhere(say, client, { project, branch, first }) {
  say.chapter('The next morning, another agent on a new machine');
  const key = { project, computer: 'new-machine', branch };
  const brief = await call(client, 'resume_brief', { ...key, token_budget: 600 });
  say.did('resume_brief', 'all it needs to know, in at most 600 tokens:');
  say.quote(brief.brief_markdown);
  const whole = await call(client, 'get_build_session_aggregate', { build_session_id: first.id });
  say.did('get_build_session_aggregate', 'how the session of yesterday ended:');
  say.quote(whole.build_session.session_history_entry_markdown);
  const started = await call(client, 'start_build_session', key);
  const id = started.build_session.id;
  await call(client, 'link_build_session_continuation', {
    build_session_id: id,
    predecessor_build_session_id: first.id,
  });
  say.did('start_build_session', `session ${id}, which continues ${first.id}`);
  const before = await call(client, 'decisions_for_path', { project, path: FILE });
  say.did('decisions_for_path', `${before.items.length} decision(s) touch ${FILE}`);
  const { backlog_item: item } = await call(client, 'triage_backlog_item', {
    backlog_item_id: first.item.id,
    status: 'resolved',
    closing_notes: 'The key of the sandbox had expired; with a new one the test passes.',
  });
  say.did('triage_backlog_item', `“${item.title}” is ${item.status}, with its closing notes`);
  await call(client, 'end_build_session', {
    build_session_id: id,
    session_history_entry_markdown: 'The sandbox test passes.',
  });
}

async function proveIt(say, client) {
  say.chapter('An auditor, with a credential that can do nothing else');
  const verified = await call(client, 'verify_audit_chain', {});
  say.did('verify_audit_chain', `ok: ${verified.ok}, ${verified.size} entries, ${verified.pending} pending`);
  say.quote(`root ${verified.root}`);
  if (!verified.ok) throw new Error(`the chain does not verify: ${JSON.stringify(verified.findings)}`);
}

/** A longer line is cut: a terminal would break it anywhere. */
const QUOTED = 120;

function narrator(print) {
  return {
    chapter: (text) => print(`\n── ${text} ${'─'.repeat(Math.max(3, WIDTH - text.length - 4))}`),
    did: (tool, text) => print(`  ${tool.padEnd(32)}${text}`),
    quote: (text) =>
      text
        .trimEnd()
        .split('\n')
        .forEach((line) => print(`    │ ${line.length > QUOTED ? `${line.slice(0, QUOTED - 1)}…` : line}`)),
  };
}
