import type { CallToolResult, InputRequiredResult, ServerContext, ServerNotifier } from '@modelcontextprotocol/server';
import type { ToolCall } from '@perdure/mcp';

type Texts = Readonly<Record<string, string>>;

/** What a fixture is run with: its arguments, the request it answers, and the gateway around it. */
export interface FixtureCall {
  readonly texts: Texts;
  readonly context: ServerContext;
  readonly toolCall: ToolCall;
  readonly changes: ServerNotifier;
}

/** A tool that the conformance suite calls by its name. */
export interface FixtureTool {
  readonly description: string;
  /** Names of its arguments: texts, all of them required. */
  readonly takes?: readonly string[];
  readonly run: (
    call: FixtureCall,
  ) => CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>;
}

export const text = (content: string) => ({ type: 'text' as const, text: content });

export const answered = (content: string): CallToolResult => ({ content: [text(content)] });

/** Arguments that are texts; the suite sends no others. */
export function textsIn(values: Readonly<Record<string, unknown>> = {}): Texts {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => isText(entry[1])));
}

const isText = (value: unknown): value is string => typeof value === 'string';
