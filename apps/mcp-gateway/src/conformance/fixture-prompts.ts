import {
  acceptedContent,
  inputRequired,
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
} from '@modelcontextprotocol/server';
import { embedded, IMAGE } from './content.js';
import { text, type FixtureCall } from './fixture.js';

interface FixturePrompt {
  readonly takes?: readonly string[];
  readonly get: (call: Pick<FixtureCall, 'texts' | 'context'>) => GetPromptResult | InputRequiredResult;
}

type Content = GetPromptResult['messages'][number]['content'];

const saying = (...contents: readonly Content[]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: 'user' as const, content })),
});

export const fixturePrompts: Readonly<Record<string, FixturePrompt>> = {
  test_simple_prompt: { get: () => saying(text('This is a simple prompt for testing.')) },
  test_prompt_with_arguments: {
    takes: ['arg1', 'arg2'],
    get: ({ texts: { arg1, arg2 } }) => saying(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  },
  test_prompt_with_embedded_resource: {
    takes: ['resourceUri'],
    get: ({ texts: { resourceUri = '' } }) =>
      saying(
        embedded(resourceUri, 'Embedded resource content for testing.'),
        text('Please process the embedded resource above.'),
      ),
  },
  test_prompt_with_image: { get: () => saying(IMAGE, text('Please analyze the image above.')) },
  test_input_required_result_prompt: {
    get: ({ context }) => {
      const answer = acceptedContent(context.mcpReq.inputResponses, 'user_context')?.['context'];
      if (typeof answer === 'string') return saying(text(`Use this: ${answer}`));
      const requestedSchema = {
        type: 'object' as const,
        properties: { context: { type: 'string' as const } },
        required: ['context'],
      };
      const message = 'What context should the prompt use?';
      return inputRequired({ inputRequests: { user_context: inputRequired.elicit({ message, requestedSchema }) } });
    },
  },
};

export const fixturePromptDefinitions: readonly Prompt[] = Object.entries(fixturePrompts).map(
  ([name, { takes = [] }]) => ({
    name,
    description: 'For the conformance suite.',
    arguments: takes.map((argument) => ({ name: argument, required: true })),
  }),
);
