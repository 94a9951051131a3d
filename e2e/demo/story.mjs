// The story of the README, told by two MCP clients against a running stack: an agent works and ends, another one on a new
// machine gets all of it back, and the audit chain proves it.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const WIDTH = 100;

/** One agent on one computer, connected over MCP with the official client. */
async function connect(name, url, token) {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  const client = new Client({ name, version: '1.0.0' });
  await client.connect(transport);
  return client;
}

/** Calls a tool and returns its structured answer; a refusal ends the demo with what the tool said. */
async function call(client, name, args) {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError) throw new Error(`${name}: ${result.content[0].text}`);
  return result.structuredContent;
}

/**
 * @param {{ mcp_url: string, project: string, agent_token: string, auditor_token: string }} stack as stack.json has it
 * @param {(line: string) => void} print
 */
export async function playStory(stack, print) {
  const say = narrator(print);
  const branch = `demo-${Date.now().toString(36)}`;
  const laptop = await connect('demo-laptop', stack.mcp_url, stack.agent_token);
  const server = await connect('demo-new-machine', stack.mcp_url, stack.agent_token);
  const auditor = await connect('demo-auditor', stack.mcp_url, stack.auditor_token);
  try {
    const first = await workOnTheLaptop(say, laptop, { project: stack.project, branch });
    await resumeElsewhere(say, server, { project: stack.project, branch, first });
    await proveIt(say, auditor);
  } finally {
    await Promise.all([laptop.close(), server.close(), auditor.close()]);
  }
}

async function workOnTheLaptop(say, client, { project, branch }) {
  say.chapter('An agent starts work on a laptop');
  const started = await call(client, 'start_build_session', {
    project,
    computer: 'laptop',
    branch,
    intent: 'Make retries of the payment call safe',
  });
  const id = started.build_session.id;
  say.did('start_build_session', `session ${id}, resumed: ${started.resumed}`);
  const again = await call(client, 'start_build_session', { project, computer: 'laptop', branch });
  say.did('start_build_session', `the same key after a crash: the same session, resumed: ${again.resumed}`);
  for (const lead of ['Reading the client; no retries yet.', 'Retries in place. **Next:** the idempotency key.']) {
    await call(client, 'prepend_build_session_lead', { build_session_id: id, new_lead_markdown: lead });
    say.did('prepend_build_session_lead', lead);
  }
  const { decision, linked_by } = await call(client, 'append_decision_log', {
    title: 'Send an Idempotency-Key with every payment',
    rationale_markdown: 'The gateway stores answers for 24 h; a retry then cannot charge twice.',
    decided_on: new Date().toISOString().slice(0, 10),
    changes_public_contract: true,
    paths: ['src/payments/client.ts'],
  });
  say.did('append_decision_log', `“${decision.title}”, linked by ${linked_by}`);
  const ended = await call(client, 'end_build_session', {
    build_session_id: id,
    session_history_entry_markdown: 'Retries and idempotency keys are in. Open: a test against the sandbox.',
    related_prs: [{ url: 'https://github.com/acme/app/pull/17' }],
  });
  say.did('end_build_session', `ended at ${ended.build_session.ended_at}, with ${ended.build_session.prs[0].url}`);
  return id;
}

async function resumeElsewhere(say, client, { project, branch, first }) {
  say.chapter('The next morning, another agent on a new machine');
  const listed = await call(client, 'list_build_sessions', { project, branch });
  say.did('list_build_sessions', `${listed.items.length} session on ${branch}; it left this state:`);
  say.quote(listed.items[0].current_state_markdown);
  const whole = await call(client, 'get_build_session_aggregate', { build_session_id: first });
  say.did('get_build_session_aggregate', 'its history entry and what it decided:');
  say.quote(whole.build_session.session_history_entry_markdown);
  for (const decision of whole.decisions.items) say.quote(`${decision.decided_on}  ${decision.title}`);
  const started = await call(client, 'start_build_session', { project, computer: 'new-machine', branch });
  await call(client, 'link_build_session_continuation', {
    build_session_id: started.build_session.id,
    predecessor_build_session_id: first,
  });
  say.did('start_build_session', `session ${started.build_session.id}, which continues ${first}`);
  const before = await call(client, 'decisions_for_path', { project, path: 'src/payments/client.ts' });
  say.did('decisions_for_path', `${before.items.length} decision(s) touch src/payments/client.ts`);
}

async function proveIt(say, client) {
  say.chapter('An auditor, with a credential that can do nothing else');
  const verified = await call(client, 'verify_audit_chain', {});
  say.did('verify_audit_chain', `ok: ${verified.ok}, ${verified.size} entries, ${verified.pending} pending`);
  say.quote(`root ${verified.root}`);
  if (!verified.ok) throw new Error(`the chain does not verify: ${JSON.stringify(verified.findings)}`);
}

function narrator(print) {
  return {
    chapter: (text) => print(`\n── ${text} ${'─'.repeat(Math.max(3, WIDTH - text.length - 4))}`),
    did: (tool, text) => print(`  ${tool.padEnd(32)}${text}`),
    quote: (text) => text.split('\n').forEach((line) => print(`    │ ${line}`)),
  };
}
