import { randomBytes } from 'node:crypto';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type InputRequests,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { answered, type FixtureTool } from './fixture.js';

interface State {
  readonly tool: string;
  readonly round: number;
}

/** A client that sends the state back changed is found out: the key is known here alone. */
const states = createRequestStateCodec<State>({ key: randomBytes(32) });

type Property = { readonly type: 'string' } | { readonly type: 'boolean' };

const askFor = (message: string, name: string, property: Property = { type: 'string' }) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: property }, required: [name] },
  });

const askModel = (prompt: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens: 100,
  });

const askName = () => askFor('What is your name?', 'name');

const accepted = ({ mcpReq }: ServerContext, key: string, name: string): unknown =>
  acceptedContent(mcpReq.inputResponses, key)?.[name];

/** What the model said, as text; null when it was not asked or said something else. */
function saidByModel({ mcpReq }: ServerContext, key: string): string | null {
  const response = mcpReq.inputResponses?.[key];
  return typeof response === 'object' && response !== null && 'content' in response
    ? JSON.stringify(response.content)
    : null;
}

function rootsIn({ mcpReq }: ServerContext): readonly unknown[] | null {
  const response = mcpReq.inputResponses?.['client_roots'];
  const roots: unknown =
    typeof response === 'object' && response !== null && 'roots' in response ? response.roots : null;
  return Array.isArray(roots) ? roots : null;
}

/** @throws ProtocolError -32602 for a state that is not ours, or that was changed on the way */
async function stateOf(context: ServerContext): Promise<State | null> {
  const sealed = context.mcpReq.requestState();
  if (sealed === undefined) return null;
  try {
    return await states.verify(String(sealed), context);
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The request state was changed');
  }
}

const confirmsWithState = (tool: string, done: string): FixtureTool => ({
  description: 'Asks for a confirmation and gives a state along.',
  run: async ({ context }) => {
    const state = await stateOf(context);
    if (state?.tool === tool && accepted(context, 'confirm', 'ok') !== undefined) return answered(done);
    const requestState = await states.mint({ tool, round: 1 });
    return inputRequired({
      inputRequests: { confirm: askFor('Please confirm', 'ok', { type: 'boolean' }) },
      requestState,
    });
  },
});

const twoRounds: FixtureTool = {
  description: 'Asks twice, the second time for something else.',
  run: async ({ context }) => {
    const round = (await stateOf(context))?.round ?? 0;
    if (round === 2) return answered(`asked twice, at last for ${String(accepted(context, 'step2', 'color'))}`);
    const inputRequests: InputRequests =
      round === 0 ? { step1: askName() } : { step2: askFor('What is your favorite color?', 'color') };
    return inputRequired({ inputRequests, requestState: await states.mint({ tool: 'rounds', round: round + 1 }) });
  },
};

const threeKinds: FixtureTool = {
  description: 'Asks person, model and client at once.',
  run: async ({ context }) => {
    const found = [accepted(context, 'user_name', 'name'), saidByModel(context, 'greeting'), rootsIn(context)];
    if (found.every((one) => one !== undefined && one !== null)) return answered(JSON.stringify(found));
    const client_roots = inputRequired.listRoots();
    return inputRequired({
      inputRequests: { user_name: askName(), greeting: askModel('Generate a greeting'), client_roots },
      requestState: await states.mint({ tool: 'kinds', round: 1 }),
    });
  },
};

/** What the client of this request says it can answer. */
function abilitiesOf({ mcpReq }: ServerContext): readonly string[] {
  const able: unknown = new Map(Object.entries(mcpReq.envelope ?? {})).get(CLIENT_CAPABILITIES_META_KEY);
  return typeof able === 'object' && able !== null ? Object.keys(able) : [];
}

/** Asks only for what the client says it can do; the SDK would refuse the rest. */
const whatClientCan: FixtureTool = {
  description: 'Asks for what the client can answer.',
  run: ({ context }) => {
    const able = abilitiesOf(context);
    const inputRequests: InputRequests = {
      ...(able.includes('elicitation') ? { user_name: askName() } : {}),
      ...(able.includes('sampling') ? { greeting: askModel('Generate a greeting') } : {}),
      ...(able.includes('roots') ? { client_roots: inputRequired.listRoots() } : {}),
    };
    const nothing = Object.keys(inputRequests).length === 0;
    return nothing || context.mcpReq.inputResponses !== undefined ? answered('done') : inputRequired({ inputRequests });
  },
};

const asksModel = (key: string, prompt: string): FixtureTool => ({
  description: 'Asks the model of the client.',
  run: ({ context }) => {
    const said = saidByModel(context, key);
    return said === null ? inputRequired({ inputRequests: { [key]: askModel(prompt) } }) : answered(`It said ${said}`);
  },
});

/** Tools that answer with a question first and are called again with its answer (SEP-2322, from 2026-07-28). */
export const askingTools: Readonly<Record<string, FixtureTool>> = {
  test_input_required_result_elicitation: {
    description: 'Asks for a name.',
    run: ({ context }) => {
      const name = accepted(context, 'user_name', 'name');
      return typeof name === 'string'
        ? answered(`Hello, ${name}!`)
        : inputRequired({ inputRequests: { user_name: askName() } });
    },
  },
  test_input_required_result_sampling: asksModel('capital_question', 'What is the capital of France?'),
  test_input_required_result_list_roots: {
    description: 'Asks for the roots of the client.',
    run: ({ context }) => {
      const roots = rootsIn(context);
      return roots === null
        ? inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
        : answered(`The client has ${JSON.stringify(roots)}`);
    },
  },
  test_input_required_result_request_state: confirmsWithState('state', 'state-ok'),
  test_input_required_result_tampered_state: confirmsWithState('tampered', 'the state is as it was given'),
  test_input_required_result_multiple_inputs: threeKinds,
  test_input_required_result_multi_round: twoRounds,
  test_input_required_result_capabilities: whatClientCan,
  test_missing_capability: asksModel('answer', 'Reply with one word: pong'),
};
