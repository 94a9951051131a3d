import { answered, type FixtureTool } from './fixture.js';

const untitled = ['option1', 'option2', 'option3'];
const titled = ['First', 'Second', 'Third'].map((title, index) => ({ const: `value${index + 1}`, title }));

/** SEP-1034: a default for every primitive type. */
const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

/** SEP-1330: the five forms of a choice. */
const CHOICES = {
  untitledSingle: { type: 'string', enum: untitled },
  titledSingle: { type: 'string', oneOf: titled },
  legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
  untitledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', enum: untitled } },
  titledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { anyOf: titled } },
};

const elicits = (description: string, properties: object, required: readonly string[] = []): FixtureTool => ({
  description,
  takes: required.length === 0 ? [] : ['message'],
  run: async ({ context, texts }) => {
    const params = {
      message: texts['message'] ?? description,
      requestedSchema: { type: 'object', properties, required },
    };
    const { action, content } = await context.mcpReq.send({ method: 'elicitation/create', params });
    return answered(`The person chose to ${action}: ${JSON.stringify(content ?? {})}`);
  },
});

/**
 * Tools that ask the client something while they run, as servers did until 2025-11-25: a request goes out in the stream
 * of the call and its answer comes in another POST.
 */
export const pushingTools: Readonly<Record<string, FixtureTool>> = {
  test_sampling: {
    description: 'Asks the model of the client.',
    takes: ['prompt'],
    run: async ({ context, texts }) => {
      const messages = [{ role: 'user', content: { type: 'text', text: texts['prompt'] ?? '' } }];
      const params = { messages, maxTokens: 100 };
      const { content } = await context.mcpReq.send({ method: 'sampling/createMessage', params });
      return answered(`LLM response: ${JSON.stringify(content)}`);
    },
  },
  test_elicitation: elicits('Asks the person.', { response: { type: 'string' } }, ['response']),
  test_elicitation_sep1034_defaults: elicits('Asks the person, with defaults.', DEFAULTS),
  test_elicitation_sep1330_enums: elicits('Asks the person to choose.', CHOICES),
};
